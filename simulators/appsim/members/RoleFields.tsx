import { GuestFields } from '#console/people/homes/guests/GuestFields.tsx';
import {
  accessOfGuest,
  draftOfGuest,
  type GuestDraft,
  guestFault,
} from '#console/people/homes/guests/guestDraft.ts';
import { type ChosenRole, memberRoleChoices } from '#console/people/homes/members/memberRoles.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import type { GuestAccess } from '#contract/home.ts';
import type { LiveHome } from '#sdk/app.ts';
import type { Config } from '../simulation.ts';

/** The draft of a role, with the access of a guest. */
export interface RoleDraft {
  role: ChosenRole;
  guest: GuestDraft;
}

interface Member {
  role: ChosenRole;
  guest?: GuestAccess | undefined;
}

export function roleDraft(member: Member | undefined, timeZone: string): RoleDraft {
  return { role: member?.role ?? 'member', guest: draftOfGuest(member?.guest, timeZone) };
}

/** Why the draft is not valid, in a sentence. */
export function roleFault({ role, guest }: RoleDraft): string | undefined {
  return role === 'guest' ? guestFault(guest) : undefined;
}

/** The request body of a draft; with legacy access control, every role is `member`. */
export function roleBody({ role, guest }: RoleDraft, config: Config, timeZone: string): Member {
  if (config.accessControl === 'legacy') return { role: 'member' };
  return { role, ...(role === 'guest' && { guest: accessOfGuest(guest, timeZone) }) };
}

interface RoleFieldsProps {
  config: Config;
  home: LiveHome;
  draft: RoleDraft;
  onChange: (draft: RoleDraft) => void;
  fault: string | undefined;
}

export function RoleFields({ config, home, draft, onChange, fault }: RoleFieldsProps) {
  if (config.accessControl === 'legacy') return null;
  const { role: own, timeZone } = home.about;
  // Only roles below the user's own.
  const choices = memberRoleChoices.filter(({ value }) => own === 'owner' || value !== 'admin');
  return (
    <>
      <Choices
        label="Role"
        value={draft.role}
        onChange={role => onChange({ ...draft, role })}
        choices={choices}
      />
      {draft.role === 'guest' && (
        <GuestFields
          devices={home.devices.map(({ about }) => about)}
          timeZone={timeZone}
          value={draft.guest}
          onChange={guest => onChange({ ...draft, guest })}
          fault={fault}
        />
      )}
    </>
  );
}
