import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { GuestFields } from '#console/people/homes/guests/GuestFields.tsx';
import {
  accessOfGuest,
  draftOfGuest,
  type GuestDraft,
  guestFault,
} from '#console/people/homes/guests/guestDraft.ts';
import { windowText } from '#console/people/homes/guests/guestWords.ts';
import { homeRoleWords } from '#console/people/roleInHome.ts';
import type { Words } from '#console/ui/code/differences.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { personName } from '#console/ui/links/personWords.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import { editHomeMember, type Home, type HomeMember } from '#contract/home.ts';
import { type HomeDevice, listHomeDevices } from '#contract/homeDevice.ts';
import { type ChosenRole, memberRoleChoices } from './memberRoles.ts';

interface EditHomeMemberProps {
  home: Home;
  member: HomeMember;
  /** The form starts with the role guest. */
  asGuest?: true | undefined;
  onClose: () => void;
}

interface Values {
  role: ChosenRole;
  guest: GuestDraft;
}

/** The role of a member and, for a guest, which devices and when. */
export function EditHomeMember(props: EditHomeMemberProps) {
  const { home, member, onClose } = props;
  const { data: devices } = useRead(listHomeDevices, { params: { homeId: home.id } });
  const edit = useMemberEdit(props);
  const { role, guest } = edit.values;
  return (
    <CreateDialog title="Edit access" verb="Save access" form={edit} onClose={onClose}>
      {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
      <Choices
        label={`Role of ${personName({ id: member.userId, name: member.name, email: member.email })}`}
        value={role}
        onChange={chosen => edit.set('role', chosen)}
        choices={memberRoleChoices}
      />
      {role === 'guest' && (
        <GuestFields
          devices={devices}
          timeZone={home.timeZone}
          value={guest}
          onChange={changed => edit.set('guest', changed)}
          fault={edit.fault}
        />
      )}
    </CreateDialog>
  );
}

function useMemberEdit({ home: { id: homeId, timeZone }, member, asGuest, onClose }: EditHomeMemberProps) {
  const save = useCall(editHomeMember);
  const [tried, setTried] = useState(false);
  const edit = useEdit<HomeMember, Values>({
    row: member,
    words: wordsFor(timeZone),
    toForm: ({ role, guest }) => ({ role: role as ChosenRole, guest: draftOfGuest(guest, timeZone) }),
    check: values => {
      setTried(true);
      return values.role === 'guest' && guestFault(values.guest) ? { guest: 'INVALID' } : {};
    },
    send: (_, ifMatch, { role, guest }) =>
      save.mutateAsync({
        params: { homeId, userId: member.userId },
        body: { role, ...(role === 'guest' && { guest: accessOfGuest(guest, timeZone) }) },
        ifMatch,
      }),
    onDone(saved) {
      if (saved) toast('Access changed');
      onClose();
    },
  });
  const [begun, setBegun] = useState(false);
  if (asGuest && !begun) {
    setBegun(true);
    edit.set('role', 'guest');
  }
  const fault = tried && edit.values.role === 'guest' ? guestFault(edit.values.guest) : undefined;
  return { ...edit, fault };
}

const wordsFor = (timeZone: string): Words<Values> => ({
  role: { label: 'Role', say: role => homeRoleWords[role] },
  guest: {
    label: 'Guest access',
    say: draft => {
      const access = accessOfGuest(draft, timeZone);
      return `${access.devices.length} ${access.devices.length === 1 ? 'device' : 'devices'}, ${windowText(access, timeZone) || 'at any time'}`;
    },
  },
});

/** The devices of the home, for the form that adds a guest. */
export function useHomeDevices(homeId: string, enabled: boolean): readonly HomeDevice[] | undefined {
  return useRead(listHomeDevices, { params: { homeId } }, { enabled }).data;
}
