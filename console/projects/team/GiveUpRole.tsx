import { useCall } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { editMember, type Member } from '#contract/team.ts';

interface GiveUpRoleProps {
  project: Project;
  self: Member;
  role: Role;
  onClose: () => void;
}

/** Asks before an owner becomes something less, which only another owner can undo. */
export function GiveUpRole({ project, self, role, onClose }: GiveUpRoleProps) {
  const change = useCall(editMember, { onDone: () => toast('Role changed') });
  const { developerId, revision } = self;
  const params = { projectId: project.id, developerId };
  return (
    <Confirm
      title="Change your own role?"
      verb="Change role"
      onConfirm={() => change.mutateAsync({ params, body: { role }, ifMatch: revision })}
      onClose={onClose}
    >
      <p>
        You become a {roleWords[role].toLowerCase()} of <b dir="auto">{project.name}</b>. Only another owner
        can make you an owner again.
      </p>
    </Confirm>
  );
}
