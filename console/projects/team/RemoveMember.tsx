import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { Project } from '#contract/project.ts';
import { type Member, removeMember } from '#contract/team.ts';

interface RemoveMemberProps {
  project: Project;
  member: Member;
  onClose: () => void;
}

export function RemoveMember({ project, member, onClose }: RemoveMemberProps) {
  const { developerId, name, email, pending } = member;
  const remove = useCall(removeMember, {
    onDone: () => toast(pending ? 'Invitation withdrawn' : 'Member removed'),
  });
  return (
    <Confirm
      title={pending ? 'Withdraw the invitation?' : 'Remove from the team?'}
      verb={pending ? 'Withdraw invitation' : 'Remove member'}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ params: { projectId: project.id, developerId } })}
    >
      {pending ? (
        <p>
          The link sent to <b>{email}</b> will no longer give access to this project.
        </p>
      ) : (
        <p>
          <b dir="auto">{name}</b> ({email}) loses access to <b dir="auto">{project.name}</b> immediately, in
          open windows too. Everything they created is kept, and so are their entries in the audit log.
        </p>
      )}
    </Confirm>
  );
}
