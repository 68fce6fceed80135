import { useRead } from '#console/core/api.ts';
import { may } from '#console/core/membership/may.ts';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListPanel } from '#console/ui/list/ListPanel.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Project } from '#contract/project.ts';
import { createUserAuthMethod, listUserAuthMethods, type UserAuthMethod } from '#contract/userAuthMethod.ts';
import { MethodIcon } from './MethodIcon.tsx';
import { NewUserAuthMethod } from './NewUserAuthMethod.tsx';
import css from './userAuthMethods.module.css';

/** The providers that end users can sign in with, for the settings of a project. */
export function UserAuthMethodsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const read = useRead(listUserAuthMethods, { params });
  const adding = useAdd('Create sign-in method', may(project.role, createUserAuthMethod));
  return (
    <ListPanel
      title="Sign-in methods"
      read={read}
      what="The sign-in methods"
      refetchError
      action={(read.data?.length ?? 0) > 0 && adding.button('quiet')}
      empty={
        <EmptyState title="Let users sign in with an existing account" action={adding.button()}>
          Any OpenID Connect provider: a company directory, a utility’s customer accounts, or a public one.
        </EmptyState>
      }
      columns={columnsFor(project.id)}
      rowKey={({ id }) => id}
      rowName={({ label }) => label}
      rowLink={({ id: methodId }) => ({
        to: '/projects/$projectId/user_auth_methods/$methodId',
        params: { ...params, methodId },
      })}
    >
      {adding.open && <NewUserAuthMethod projectId={project.id} onClose={adding.close} />}
    </ListPanel>
  );
}

function columnsFor(projectId: string): Column<UserAuthMethod>[] {
  return [
    {
      id: 'method',
      head: 'Method',
      cell: method => (
        <span className={css.named}>
          <MethodIcon projectId={projectId} method={method} />
          <TwoLines
            strong
            main={<span dir="auto">{method.label}</span>}
            sub={method.description && <span dir="auto">{firstLine(method.description, 80)}</span>}
          />
        </span>
      ),
    },
    {
      id: 'issuer',
      head: 'Issuer',
      width: '46%',
      cell: ({ config }) => <TwoLines main={config.issuer} sub={config.clientId} mono="both" />,
    },
    { id: 'added', head: 'Added', width: '18%', cell: ({ createdAt }) => <TimeAgo time={createdAt} /> },
  ];
}
