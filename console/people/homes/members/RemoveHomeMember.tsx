import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { type Home, type HomeMember, removeHomeMember } from '#contract/home.ts';

interface RemoveHomeMemberProps {
  home: Home;
  member: HomeMember;
  onClose: () => void;
}

export function RemoveHomeMember({ home, member, onClose }: RemoveHomeMemberProps) {
  const { userId, name, email } = member;
  const remove = useCall(removeHomeMember, { onDone: () => toast('Member removed') });
  return (
    <Confirm
      title="Remove from home"
      verb="Remove member"
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ params: { homeId: home.id, userId } })}
    >
      <p>
        <b dir="auto">{personName({ id: userId, name, email })}</b> loses access to{' '}
        <b dir="auto">{home.name}</b> and its event streams at once. Devices they claimed stay in the home.
      </p>
    </Confirm>
  );
}
