import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { GuestFields } from '#console/people/homes/guests/GuestFields.tsx';
import { accessOfGuest, emptyGuest, guestFault } from '#console/people/homes/guests/guestDraft.ts';
import { isAddress } from '#console/people/isAddress.ts';
import { PickUser } from '#console/people/PickUser.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import { addHomeMember, type Home, listHomeMembers } from '#contract/home.ts';
import type { Project } from '#contract/project.ts';
import { useHomeDevices } from './EditHomeMember.tsx';
import { type ChosenRole, memberRoleChoices } from './memberRoles.ts';

interface AddHomeMemberProps {
  project: Project;
  home: Home;
  onClose: () => void;
}

/** Adds a user to a home; someone without an account is invited by e-mail. */
export function AddHomeMember({ project, home, onClose }: AddHomeMemberProps) {
  const hasRoles = project.enablePermissionBasedAccessControl;
  const { data: members } = useRead(listHomeMembers, { params: { homeId: home.id } });
  const [typed, setTyped] = useState('');
  const { form, fault } = useAddForm(home, typed, onClose);
  const { role, guest } = form.values;
  const devices = useHomeDevices(home.id, role === 'guest');
  const isInviting = form.values.userId === '' && isAddress(typed);
  return (
    <CreateDialog
      title="Add member"
      verb={isInviting ? `Add ${typed}` : 'Add member'}
      form={form}
      onClose={onClose}
    >
      <PickUser
        projectId={project.id}
        label="User"
        hint="To invite someone without an account, enter their e-mail address."
        without={members?.map(({ userId }) => userId) ?? []}
        onTyped={text => {
          setTyped(text);
          form.set('userId', '');
        }}
        none={isAddress(typed) ? `${typed} is invited by e-mail.` : 'No such user outside this home.'}
        {...form.field('userId')}
      />
      {hasRoles && (
        <Choices
          label="Role"
          value={role}
          onChange={chosen => form.set('role', chosen)}
          choices={memberRoleChoices}
        />
      )}
      {role === 'guest' && (
        <GuestFields
          devices={devices}
          timeZone={home.timeZone}
          value={guest}
          onChange={changed => form.set('guest', changed)}
          fault={fault}
        />
      )}
    </CreateDialog>
  );
}

function useAddForm({ id: homeId, timeZone }: Home, typed: string, onClose: () => void) {
  const add = useCall(addHomeMember);
  const [tried, setTried] = useState(false);
  const form = useForm({
    initial: { userId: '', role: 'member' as ChosenRole, guest: emptyGuest },
    check: ({ userId, role, guest }) => {
      setTried(true);
      return {
        ...(userId === '' && !isAddress(typed) && { userId: typed ? 'INVALID_EMAIL' : 'REQUIRED' }),
        ...(role === 'guest' && guestFault(guest) && { guest: 'INVALID' }),
      };
    },
    async submit({ userId, role, guest }) {
      const body = {
        ...(userId ? { userId } : { email: typed }),
        role,
        ...(role === 'guest' && { guest: accessOfGuest(guest, timeZone) }),
      };
      const { invitation } = await add.mutateAsync({ params: { homeId }, body });
      toast(invitation ? 'Invitation sent' : 'Member added');
      onClose();
    },
  });
  const { role, guest } = form.values;
  return { form, fault: tried && role === 'guest' ? guestFault(guest) : undefined };
}
