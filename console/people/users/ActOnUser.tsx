import type { ReactNode } from 'react';
import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { editUser, endUserSessions, sendUserPasswordReset } from '#contract/user.ts';
import { EraseUser } from './EraseUser.tsx';
import { type ActingOnUser, type UserAct, userActLabel } from './userActs.ts';

interface ActOnUserProps extends ActingOnUser {
  projectId: string;
  onClose: () => void;
}

/** Asks before a user is changed, and says what that means for them. */
export function ActOnUser({ projectId, act, user, onClose }: ActOnUserProps) {
  const edit = useCall(editUser);
  const signOut = useCall(endUserSessions);
  const reset = useCall(sendUserPasswordReset);
  if (act === 'erase') return <EraseUser projectId={projectId} user={user} onClose={onClose} />;
  const params = { userId: user.id };
  async function go() {
    if (act === 'signOut') await signOut.mutateAsync({ params });
    else if (act === 'reset') await reset.mutateAsync({ params });
    else await edit.mutateAsync({ params, body: { suspended: act === 'suspend' } });
    toast(done[act as Asked]);
  }
  const verb = userActLabel(act);
  return (
    <Confirm
      title={verb}
      verb={verb}
      danger={act === 'suspend' || act === 'signOut'}
      onConfirm={go}
      onClose={onClose}
    >
      {says[act](<b dir="auto">{personName(user)}</b>, user.email)}
    </Confirm>
  );
}

type Asked = Exclude<UserAct, 'erase'>;

const done: Record<Asked, string> = {
  suspend: 'User suspended',
  resume: 'User resumed',
  signOut: 'Signed out everywhere',
  reset: 'Password reset sent',
};

const says: Record<Asked, (who: ReactNode, email: string | undefined) => ReactNode> = {
  suspend: who => (
    <p>
      {who} is signed out everywhere within a second, and cannot sign in until you resume the account. Homes
      and devices are not affected, and other members can keep using them.
    </p>
  ),
  resume: who => <p>{who} can sign in again, and has the same homes and roles as before.</p>,
  signOut: who => (
    <p>All sessions of {who} end at once, and open event streams are closed. They can sign in again.</p>
  ),
  reset: (_, email) => (
    <p>
      An e-mail to <b>{email}</b> has a link to set a new password. Until then the old one keeps working.
    </p>
  ),
};
