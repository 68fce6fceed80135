import { useActions } from '#console/actions.ts';
import { useRead } from '#console/api.ts';
import { may } from '#console/membership/may.ts';
import { Button } from '#console/ui/Button.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { PlusIcon } from '#console/ui/icons.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { useHashDialog } from '#console/urlState.ts';
import type { Project } from '#contract/project.ts';
import { createUserAuthMethod, listUserAuthMethods, type UserAuthMethod } from '#contract/userAuthMethod.ts';
import { MethodIcon } from './MethodIcon.tsx';
import { NewUserAuthMethod } from './NewUserAuthMethod.tsx';
import css from './userAuthMethods.module.css';

/** The providers that end users can sign in with, for the settings of a project. */
export function UserAuthMethodsSection({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const read = useRead(listUserAuthMethods, { params });
  const { data } = read;
  const adding = useHashDialog('new');
  const mayAdd = may(project.role, createUserAuthMethod);
  useActions(mayAdd ? [{ label: 'Add sign-in method', keys: 'c', run: adding.show }] : []);
  return (
    <Panel
      title="Sign-in methods"
      note={data && data.length > 0 ? data.length : undefined}
      flush
      action={
        mayAdd &&
        data &&
        data.length > 0 && (
          <Button variant="quiet" icon={<PlusIcon />} onClick={adding.show}>
            Add sign-in method
          </Button>
        )
      }
    >
      <ReadState
        read={read}
        what="The sign-in methods"
        skeleton={<Skeleton shape="rows" lines={2} />}
        refetchError
      />
      {data?.length === 0 && <NoMethods onAdd={mayAdd ? adding.show : undefined} />}
      {data && data.length > 0 && (
        <Table
          label="Sign-in methods"
          columns={columnsFor(project.id)}
          rows={data}
          rowKey={({ id }) => id}
          rowName={({ label }) => label}
          rowLink={({ id: methodId }) => ({
            to: '/projects/$projectId/user_auth_methods/$methodId',
            params: { ...params, methodId },
          })}
        />
      )}
      {mayAdd && adding.open && <NewUserAuthMethod projectId={project.id} onClose={adding.hide} />}
    </Panel>
  );
}

function NoMethods({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      title="Let users sign in with an existing account"
      action={
        onAdd && (
          <Button icon={<PlusIcon />} onClick={onAdd}>
            Add sign-in method
          </Button>
        )
      }
    >
      Any OpenID Connect provider: a company directory, a utility’s customer accounts, or a public one.
    </EmptyState>
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
