import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { PeopleTabs } from '#console/people/PeopleTabs.tsx';
import { Rope } from '#console/ui/drawings.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { createUser, editUser, exportUsers, listUsers, readUserCounts } from '#contract/user.ts';
import { listUserAuthMethods } from '#contract/userAuthMethod.ts';
import { ActOnUser } from './ActOnUser.tsx';
import { AddUser } from './AddUser.tsx';
import { ExportUsers } from './ExportUsers.tsx';
import { type ActingOnUser, userMenu } from './userActs.ts';
import { userColumns } from './userColumns.tsx';
import { userFilters, userQuery } from './userFilters.ts';

/** The end users: find one, see whether they can sign in and what they have. */
export function Users() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/users/' });
  const { data: project } = useProject();
  const params = { projectId };
  const counts = useRead(readUserCounts, { params }).data;
  const methods = useRead(listUserAuthMethods, { params }).data ?? [];
  const [acting, setActing] = useState<ActingOnUser>();
  const mayEdit = useMay(editUser);
  const mayExport = useMay(exportUsers);
  const isExternal = project?.userAccountMode === 'external';
  const adding = useAdd('Add user', useMay(createUser), !isExternal);
  return (
    <ListScreen
      key={projectId}
      title="Users"
      noun="users"
      endpoint={listUsers}
      input={(page, chosen) => ({ query: userQuery(projectId, page, chosen) })}
      cursors
      searchHint="Name, e-mail, id…"
      filters={userFilters({ counts, methods })}
      tabs={<PeopleTabs projectId={projectId} />}
      columns={userColumns({
        projectId,
        methods,
        hasRoles: project?.enablePermissionBasedAccessControl ?? false,
      })}
      rowKey={({ id }) => id}
      rowName={personName}
      rowLink={({ id: userId }) => ({
        to: '/projects/$projectId/users/$userId',
        params: { projectId, userId },
      })}
      rowMenu={user => (mayEdit ? userMenu(user, act => setActing({ act, user })) : [])}
      actions={found => mayExport && <ExportUsers found={found} />}
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Rope />} title="No users yet" action={adding.button('primary')}>
          {isExternal
            ? 'Your own back end creates the users, through the service API.'
            : 'The people who use your product register in your app. Add one yourself to try it out.'}
        </EmptyState>
      }
    >
      {isExternal && <Hint>{externalSentence}</Hint>}
      {adding.open && project && <AddUser project={project} onClose={adding.close} />}
      {acting && <ActOnUser projectId={projectId} {...acting} onClose={() => setActing(undefined)} />}
    </ListScreen>
  );
}

const externalSentence =
  'Your own back end manages these accounts: it creates users and signs them in through the service API, so you cannot add users or reset passwords here. You can still suspend, sign out, export and delete them.';
