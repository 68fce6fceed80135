import { Link, useNavigate } from '@tanstack/react-router';
import { call, dropReads } from '#console/api.ts';
import { leavingProject } from '#console/leaving.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/Confirm.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/Dialog.tsx';
import { toast } from '#console/ui/Toast.tsx';
import { type Member, removeMember } from '#contract/member.ts';
import { reasons } from '#contract/problem.ts';
import type { Project } from '#contract/project.ts';

interface LeaveProjectProps {
  project: Project;
  self: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** The last member and the last owner stay. The server decides; this only says it early, and where to go instead. */
export function LeaveProject({ project, self, members, onClose }: LeaveProjectProps) {
  const others = members.filter(({ developerId, pending }) => developerId !== self.developerId && !pending);
  if (others.length === 0) return <MustStay reason="LAST_MEMBER" project={project} onClose={onClose} />;
  if (self.role === 'owner' && !others.some(({ role }) => role === 'owner'))
    return <MustStay reason="LAST_OWNER" project={project} onClose={onClose} />;
  return <ConfirmLeaving project={project} self={self} onClose={onClose} />;
}

function ConfirmLeaving({ project, self, onClose }: Omit<LeaveProjectProps, 'members'>) {
  const navigate = useNavigate();
  async function leave() {
    await leavingProject(project.id, async () => {
      await call(removeMember, { params: { projectId: project.id, developerId: self.developerId } });
      await navigate({ to: '/projects' });
    });
    toast(`You left ${project.name}`);
    dropReads(['projects']);
  }
  return (
    <Confirm title="Leave the project?" verb="Leave project" onConfirm={leave} onClose={onClose}>
      <p>
        You lose access to <b dir="auto">{project.name}</b> at once. What you made stays. An owner can add you
        again.
      </p>
    </Confirm>
  );
}

interface MustStayProps {
  reason: 'LAST_MEMBER' | 'LAST_OWNER';
  project: Project;
  onClose: () => void;
}

function MustStay({ reason, project, onClose }: MustStayProps) {
  return (
    <Dialog title="You cannot leave" onClose={onClose}>
      <DialogBody>
        <p>{reasons[reason][1]}</p>
        <code>{reason}</code>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        {reason === 'LAST_MEMBER' && (
          <Link
            to="/projects/$projectId/settings"
            params={{ projectId: project.id }}
            className={buttonClass()}
          >
            Open settings
          </Link>
        )}
      </DialogFooter>
    </Dialog>
  );
}
