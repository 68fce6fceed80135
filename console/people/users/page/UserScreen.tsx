import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { OpenInApp } from '#console/guide/simulators/OpenInApp.tsx';
import { Avatar } from '#console/people/Avatar.tsx';
import { ActOnUser } from '#console/people/users/ActOnUser.tsx';
import { type UserAct, userActLabel } from '#console/people/users/userActs.ts';
import { Button } from '#console/ui/Button.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { personName, userStateWords } from '#console/ui/links/personWords.ts';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { editUser, readUser, type User } from '#contract/user.ts';
import { HomesOfUser } from './HomesOfUser.tsx';
import { SigningInPanel } from './SigningInPanel.tsx';
import { UserActivityPanel } from './UserActivityPanel.tsx';
import { UserDataPanel } from './UserDataPanel.tsx';
import { UserInfoPanel } from './UserInfoPanel.tsx';
import { UserSessionsPanel } from './UserSessionsPanel.tsx';

/** One end user: their homes, what they did, where they are signed in, and what is stored about them. */
export function UserScreen() {
  const { projectId, userId } = useParams({ from: '/shell/projects/$projectId/users/$userId' });
  const read = useRead(readUser, { params: { userId } });
  const { data, error } = read;
  if (error?.reason === 'USER_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`User ${userId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The user" />;
  return (
    <>
      <ReadState read={read} what="The user" refetchError />
      <OneUser user={data} />
    </>
  );
}

function OneUser({ user }: { user: User }) {
  const { id, projectId, name, email, suspended, createdIn } = user;
  const { data: project } = useProject();
  const [act, setAct] = useState<UserAct>();
  const mayEdit = useMay(editUser);
  const deed = (one: UserAct) => ({ label: userActLabel(one), run: () => setAct(one) });
  // A reset needs an e-mail address, and a password that can be used to sign in.
  const canReset =
    email !== undefined && project?.userAccountMode === 'email' && !project.restrictPasswordLogin;
  const deeds = [
    ...(canReset ? [deed('reset')] : []),
    deed(suspended ? 'resume' : 'suspend'),
    deed('signOut'),
    deed('erase'),
  ];
  useActions(mayEdit ? deeds : []);
  const menu: (MenuItem | 'line')[] = [deed('signOut'), 'line', { ...deed('erase'), danger: true }];
  return (
    <DetailScreen
      name={personName(user)}
      lead={<Avatar name={name} id={id} size="large" />}
      id={id}
      state={<UserStatePill user={user} />}
      actions={
        <>
          <OpenInApp projectId={projectId} appId={createdIn} email={email} />
          {mayEdit && canReset && <Button onClick={() => setAct('reset')}>{userActLabel('reset')}</Button>}
          {mayEdit && (
            <Button onClick={() => setAct(suspended ? 'resume' : 'suspend')}>
              {suspended ? 'Resume' : 'Suspend'}
            </Button>
          )}
        </>
      }
      {...(mayEdit && { menu })}
      side={
        <>
          <UserInfoPanel user={user} />
          <UserSessionsPanel user={user} onEndAll={() => setAct('signOut')} />
          <SigningInPanel user={user} />
          {mayEdit && <UserDataPanel user={user} onErase={() => setAct('erase')} />}
        </>
      }
    >
      <HomesOfUser user={user} />
      <UserActivityPanel user={user} />
      {act && <ActOnUser projectId={projectId} act={act} user={user} onClose={() => setAct(undefined)} />}
    </DetailScreen>
  );
}

function UserStatePill({ user: { state, lastSeenAt } }: { user: User }) {
  const seen = (
    <>
      {lastSeenAt ? 'seen ' : ''}
      <TimeAgo time={lastSeenAt} never="never seen" />
    </>
  );
  return <StatePill {...userStateWords[state]} detail={seen} />;
}
