import { useNavigate } from '@tanstack/react-router';
import { call, invalidate } from '#console/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { deleteUserAuthMethod, type UserAuthMethod } from '#contract/userAuthMethod.ts';

interface DeleteMethodProps {
  projectId: string;
  method: UserAuthMethod;
  onClose: () => void;
}

export function DeleteMethod({ projectId, method, onClose }: DeleteMethodProps) {
  const navigate = useNavigate();

  /** The screen is left first: what it shows is no longer there to be read again. */
  async function remove() {
    const params = { projectId, methodId: method.id };
    await call(deleteUserAuthMethod, { params });
    await navigate({ to: '/projects/$projectId/settings/user_auth', params: { projectId }, replace: true });
    void invalidate(deleteUserAuthMethod, params);
    toast('Sign-in method deleted');
  }

  return (
    <Confirm title="Delete sign-in method" verb="Delete sign-in method" onConfirm={remove} onClose={onClose}>
      <p>
        Do you really want to delete user authentication method <b dir="auto">{method.label}</b>?
      </p>
      <p>Users can no longer sign in with it. The client at the provider is not affected.</p>
    </Confirm>
  );
}
