import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { deleteUserAuthMethod, type UserAuthMethod } from '#contract/userAuthMethod.ts';

interface DeleteMethodProps {
  projectId: string;
  method: UserAuthMethod;
  onClose: () => void;
}

export function DeleteMethod({ projectId, method, onClose }: DeleteMethodProps) {
  return (
    <ConfirmDelete
      noun="sign-in method"
      endpoint={deleteUserAuthMethod}
      input={{ params: { projectId, methodId: method.id } }}
      leaveTo={{ to: '/projects/$projectId/settings/user_auth', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete sign-in method <b dir="auto">{method.label}</b>?
      </p>
      <p>Users can no longer sign in with it. The client at the provider is not affected.</p>
    </ConfirmDelete>
  );
}
