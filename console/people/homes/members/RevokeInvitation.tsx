import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { type HomeInvitation, revokeHomeInvitation } from '#contract/home.ts';

interface RevokeInvitationProps {
  invitation: HomeInvitation;
  onClose: () => void;
}

export function RevokeInvitation({ invitation, onClose }: RevokeInvitationProps) {
  const { id: invitationId, homeId, email } = invitation;
  const revoke = useCall(revokeHomeInvitation, { onDone: () => toast('Invitation revoked') });
  return (
    <Confirm
      title="Revoke invitation"
      verb="Revoke invitation"
      onClose={onClose}
      onConfirm={() => revoke.mutateAsync({ params: { homeId, invitationId } })}
    >
      <p>
        The link sent to <b>{email}</b> stops working at once.
      </p>
    </Confirm>
  );
}
