import { useRouter } from '@tanstack/react-router';
import { useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { leavingProject, projectOf } from '#console/core/leavingProject.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { Project } from '#contract/project.ts';
import { type Member, removeMember } from '#contract/team.ts';
import { isLastOwner, MustStay } from './MustStay.tsx';

interface LeaveProjectProps {
  project: Project;
  self: Member;
  members: readonly Member[];
  onClose: () => void;
}

/**
 * The last member and the last owner cannot leave. The server enforces it; the dialog only says so early, and where to
 * go instead.
 */
export function LeaveProject({ project, self, members, onClose }: LeaveProjectProps) {
  const others = members.filter(({ developerId, pending }) => developerId !== self.developerId && !pending);
  const reason = others.length === 0 ? 'LAST_MEMBER' : isLastOwner(self, members) ? 'LAST_OWNER' : undefined;
  if (reason)
    return <MustStay title="You cannot leave" reason={reason} project={project} onClose={onClose} />;
  return <ConfirmLeaving project={project} self={self} onClose={onClose} />;
}

function ConfirmLeaving({ project, self, onClose }: Omit<LeaveProjectProps, 'members'>) {
  const router = useRouter();
  const submit = useSubmit();
  const params = { projectId: project.id, developerId: self.developerId };
  async function leave() {
    await leavingProject(project.id, async () => {
      await submit(removeMember, { params });
      if (projectOf(router.state.location.pathname) === project.id)
        await router.navigate({ to: '/projects' });
    });
    toast(`You left ${project.name}`);
    void invalidate(removeMember, params);
  }
  return (
    <Confirm title="Leave the project?" verb="Leave project" onConfirm={leave} onClose={onClose}>
      <p>
        You lose access to <b dir="auto">{project.name}</b> immediately. Everything you created is kept. An
        owner can add you again.
      </p>
    </Confirm>
  );
}
