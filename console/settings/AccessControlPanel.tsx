import type { Project } from '#contract/project.ts';
import { IrreversibleSwitch } from './IrreversibleSwitch.tsx';

export function AccessControlPanel({ project }: { project: Project }) {
  return (
    <IrreversibleSwitch
      project={project}
      title="Access control"
      option="enablePermissionBasedAccessControl"
      before={{
        word: 'Legacy',
        text: 'The members of a home are all equal, beside its owner. They are told of invitations and changes by mail.',
      }}
      after={{
        word: 'Permission-based',
        text: 'In a home everyone has a role: owner, admin, member or guest, with permissions to view, control, configure and invite. Each app call is checked against them.',
      }}
      verb="Enable permissions"
      consequence="Access control becomes permission-based: members of homes get roles, and each app call is checked against their permissions. The e-mail templates for home members go away."
    />
  );
}
