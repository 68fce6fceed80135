import { GuestFields } from '#console/homes/guests/GuestFields.tsx';
import {
  accessOfGuest,
  draftOfGuest,
  type GuestDraft,
  guestFault,
} from '#console/homes/guests/guestDraft.ts';
import { type ChosenRole, memberRoleChoices } from '#console/homes/members/memberRoles.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import type { GuestAccess } from '#contract/home.ts';
import type { LiveHome } from '#sdk/app.ts';
import type { Config } from '../simulation.ts';

/** A role as it is chosen, with what a guest may. */
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

/** Why it cannot be sent, in a sentence. */
export function roleFault({ role, guest }: RoleDraft): string | undefined {
  return role === 'guest' ? guestFault(guest) : undefined;
}

/** Under legacy access control, there is nothing to choose. */
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
  // Below one's own.
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
