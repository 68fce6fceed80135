import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import type { Words } from '#console/ui/code/differences.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { editMember, type Member } from '#contract/team.ts';
import { isLastOwner, MustStay } from './MustStay.tsx';
import { roleChoices } from './roleDuties.ts';

const words: Words<{ role: Role }> = { role: { label: 'Role', say: role => roleWords[role] } };

interface ChangeRoleProps {
  project: Project;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** The last owner stays an owner. The server enforces it; the dialog only says so early. */
export function ChangeRole({ members, ...given }: ChangeRoleProps) {
  const { project, member, onClose } = given;
  // The state when the dialog opened: a role that has just been saved must not replace the dialog.
  const [stays] = useState(() => isLastOwner(member, members));
  if (stays) return <MustStay title="Change role" reason="LAST_OWNER" project={project} onClose={onClose} />;
  return <RoleForm {...given} />;
}

function RoleForm({ project, member, onClose }: Omit<ChangeRoleProps, 'members'>) {
  const call = useCall(editMember);
  const params = { projectId: project.id, developerId: member.developerId };
  const edit = useEdit<Member, { role: Role }>({
    row: member,
    words,
    toForm: ({ role }) => ({ role }),
    send: (_, ifMatch, body) => call.mutateAsync({ params, body, ifMatch }),
    onDone(saved) {
      if (saved) toast('Role changed');
      onClose();
    },
  });
  return (
    <CreateDialog title="Change role" verb="Save role" form={edit} onClose={onClose}>
      {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
      <Choices
        label={`Role of ${member.pending ? member.email : member.name}`}
        value={edit.values.role}
        onChange={role => edit.set('role', role)}
        choices={roleChoices}
      />
    </CreateDialog>
  );
}
