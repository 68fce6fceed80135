import { roleWords } from '#console/membership/roleWords.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { useAsk } from '#console/ui/dialog/useAsk.ts';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { Project } from '#contract/project.ts';
import { isPublicAlias, publicAliasMax } from '#rules/publicAlias.ts';
import type { SectionProps } from './section.ts';
import { useProjectEdit } from './useProjectEdit.ts';

export function OverviewPanel({ project, locked }: SectionProps) {
  const { id, name, description, publicAlias, role, createdAt } = project;
  return (
    <Panel
      title="Overview"
      editKey
      locked={locked}
      edit={done => <OverviewForm project={project} done={done} />}
    >
      <Facts
        facts={[
          [
            'Name',
            <span key="name" dir="auto">
              {name}
            </span>,
          ],
          [
            'Description',
            <span key="description" dir="auto">
              {description || '–'}
            </span>,
          ],
          [
            'Public alias',
            publicAlias ? (
              <CopyText key="alias" text={publicAlias} label="Copy alias" />
            ) : (
              'none: the id is used instead'
            ),
          ],
          ['Id', <CopyText key="id" text={id} label="Copy id" />],
          ['Your role', roleWords[role]],
          ['Created', <TimeAgo key="created" time={createdAt} />],
        ]}
      />
    </Panel>
  );
}

const words = { name: 'Name', description: 'Description', publicAlias: 'Public alias' };

function OverviewForm({ project, done }: { project: Project; done: () => void }) {
  const aliasChange = useAsk();
  const edit = useProjectEdit({
    project,
    words,
    done,
    toForm: ({ name, description, publicAlias = '' }) => ({ name, description, publicAlias }),
    check: ({ name, publicAlias }) => ({
      ...(!name.trim() && { name: 'REQUIRED' }),
      ...(publicAlias && !isPublicAlias(publicAlias) && { publicAlias: 'INVALID_FORMAT' }),
    }),
    // Only for a change of an existing alias.
    ask: async (changed, now) =>
      changed.publicAlias === undefined || now.publicAlias === undefined || aliasChange.ask(),
    toBody: ({ publicAlias, ...changed }) => ({
      ...changed,
      ...(publicAlias !== undefined && { publicAlias: publicAlias || null }),
    }),
  });
  return (
    <>
      <EditForm edit={edit} onCancel={done}>
        <TextField
          label="Name"
          autoFocus
          maxLength={200}
          autoComplete="off"
          dir="auto"
          {...edit.field('name')}
        />
        <TextArea label="Description" maxLength={2000} rows={3} dir="auto" {...edit.field('description')} />
        <TextField
          label="Public alias"
          mono
          maxLength={publicAliasMax}
          autoComplete="off"
          spellCheck={false}
          hint="Replaces the project id where your users sign in. Letters, digits and inner hyphens; must be unique."
          {...edit.field('publicAlias')}
        />
      </EditForm>
      {aliasChange.asking && (
        <Confirm {...aliasChange.asking} title="Change the public alias?" verb="Change alias">
          <p>Changing the Public Alias may prevent your users from logging in. Are you sure?</p>
        </Confirm>
      )}
    </>
  );
}
