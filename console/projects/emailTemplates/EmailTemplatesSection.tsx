import { useRead } from '#console/core/api.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { type EmailTemplate, listEmailTemplates } from '#contract/emailTemplate.ts';
import type { Project } from '#contract/project.ts';
import css from './emailTemplates.module.css';

const columns: readonly Column<EmailTemplate>[] = [
  {
    id: 'name',
    head: 'E-mail',
    cell: ({ name, description }) => <TwoLines strong whole main={name} sub={description} />,
  },
  {
    id: 'state',
    head: 'Content',
    width: '120px',
    cell: ({ changed }) =>
      changed ? (
        <StatePill shape="plain" tone="busy" word="Changed" />
      ) : (
        <StatePill shape="plain" tone="off" word="Default" />
      ),
  },
];

/** The e-mails that a project sends to its end users: those that its settings use. */
export function EmailTemplatesSection({ project: { id: projectId } }: { project: Project }) {
  const read = useRead(listEmailTemplates, { params: { projectId } });
  const { data } = read;
  return (
    <Panel title="E-mail templates" note="the e-mails your users receive" flush>
      {data && data.length > 0 && (
        <Table
          label="E-mail templates"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          rowLink={({ id }) => ({
            to: '/projects/$projectId/email_templates/$templateId',
            params: { projectId, templateId: id },
          })}
        />
      )}
      {data?.length === 0 && (
        <p className={css.nothing}>
          Your own back end manages the users of this project and sends their e-mails.
        </p>
      )}
      <ReadState
        read={read}
        what="The e-mail templates"
        skeleton={
          <div className={css.nothing}>
            <Skeleton shape="rows" lines={4} />
          </div>
        }
      />
    </Panel>
  );
}
