import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { addMember, type Member } from '#contract/team.ts';
import { roleChoices } from './roleDuties.ts';

interface AddMemberProps {
  project: Project;
  onAdded: (member: Member) => void;
  onClose: () => void;
}

export function AddMember({ project, onAdded, onClose }: AddMemberProps) {
  const add = useCall(addMember);
  const form = useForm<{ email: string; role: Role }>({
    initial: { email: '', role: 'developer' },
    check: ({ email }) => (email.trim() ? {} : { email: 'REQUIRED' }),
    async submit({ email, role }) {
      const body = { email: email.trim(), role };
      const member = await add.mutateAsync({ params: { projectId: project.id }, body });
      toast(member.pending ? 'Invitation sent' : 'Member added');
      onAdded(member);
      onClose();
    },
  });
  return (
    <CreateDialog title="Add member" form={form} onClose={onClose}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        hint="People with an account are added and notified. Anyone else is invited to create one."
        {...form.field('email')}
      />
      <Choices
        label="Role"
        value={form.values.role}
        onChange={role => form.set('role', role)}
        choices={roleChoices}
      />
    </CreateDialog>
  );
}
