import { IrreversibleSwitch } from '#console/ui/edit/IrreversibleSwitch.tsx';
import type { Project } from '#contract/project.ts';

export function AccessControlPanel({ project }: { project: Project }) {
  return (
    <IrreversibleSwitch
      project={project}
      title="Access control"
      option="enablePermissionBasedAccessControl"
      before={{
        word: 'Legacy',
        text: 'All members of a home are equal, except its owner. They are notified of invitations and changes by e-mail.',
      }}
      after={{
        word: 'Permission-based',
        text: 'Everyone in a home has a role: owner, admin, member or guest, with permissions to view, control, configure and invite. Each app call is checked against them.',
      }}
      verb="Enable permissions"
      consequence="Access control becomes permission-based: home members get roles, and each app call is checked against their permissions. The e-mail templates for home members are removed."
    />
  );
}
