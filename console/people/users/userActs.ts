import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import type { User, UserRow } from '#contract/user.ts';

export type UserAct = 'suspend' | 'resume' | 'signOut' | 'reset' | 'erase';

/** The user to act on, with the fields that lists and pages have in common. */
export type ActedOn = Pick<User | UserRow, 'id' | 'name' | 'email' | 'externalId' | 'suspended'>;

export interface ActingOnUser {
  act: UserAct;
  user: ActedOn;
}

const labels: Record<UserAct, string> = {
  suspend: 'Suspend user',
  resume: 'Resume user',
  signOut: 'Sign out everywhere',
  reset: 'Send password reset',
  erase: 'Delete user',
};

export function userMenu({ suspended }: ActedOn, ask: (act: UserAct) => void): (MenuItem | 'line')[] {
  const item = (act: UserAct) => ({ label: labels[act], run: () => ask(act) });
  return [
    item(suspended ? 'resume' : 'suspend'),
    item('signOut'),
    'line',
    { ...item('erase'), danger: true },
  ];
}

export const userActLabel = (act: UserAct) => labels[act];
