import { useCall } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { projectFields } from '#console/projects/projectFields.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { useAsk } from '#console/ui/dialog/useAsk.ts';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { editProject } from '#contract/project.ts';
import type { SectionProps } from './section.ts';

export function OverviewPanel({ project, locked }: SectionProps) {
  const { id, publicAlias, role, createdAt } = project;
  const params = { projectId: id };
  const save = useCall(editProject);
  const aliasChange = useAsk();
  return (
    <>
      <FieldsPanel
        title="Overview"
        locked={locked}
        row={project}
        fields={projectFields}
        facts={[
          'name',
          'description',
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
        toForm={({ name, description, publicAlias = '' }) => ({ name, description, publicAlias })}
        // Asks only if an existing alias changes.
        ask={async (changed, now) =>
          changed.publicAlias === undefined || now.publicAlias === undefined || aliasChange.ask()
        }
        send={({ publicAlias, ...changed }, ifMatch) => {
          const alias = publicAlias !== undefined && { publicAlias: publicAlias.trim() || null };
          return save.mutateAsync({ params, body: { ...changed, ...alias }, ifMatch });
        }}
        saved="Settings saved"
      />
      {aliasChange.asking && (
        <Confirm {...aliasChange.asking} title="Change the public alias?" verb="Change alias">
          <p>Changing the Public Alias may prevent your users from logging in. Are you sure?</p>
        </Confirm>
      )}
    </>
  );
}
