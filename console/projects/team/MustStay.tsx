import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { reasons } from '#contract/problem.ts';
import type { Project } from '#contract/project.ts';
import type { Member } from '#contract/team.ts';

interface MustStayProps {
  /** "You cannot leave" */
  title: string;
  reason: 'LAST_MEMBER' | 'LAST_OWNER';
  project: Project;
  onClose: () => void;
}

/** Why the member has to stay, and where to go instead. */
export function MustStay({ title, reason, project, onClose }: MustStayProps) {
  return (
    <Dialog title={title} onClose={onClose}>
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

/** Whether this member is the only one who can change the team. People who have not signed up yet cannot. */
export function isLastOwner({ developerId, role }: Member, members: readonly Member[]): boolean {
  return (
    role === 'owner' &&
    !members.some(one => one.role === 'owner' && !one.pending && one.developerId !== developerId)
  );
}
