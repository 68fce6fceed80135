import type { HomeRight } from '#contract/endpoint.ts';
import type { GuestAccess, HomeRole } from '#contract/home.ts';
import { listText } from '#rules/text/listText.ts';

export const homeRoleWords: Record<HomeRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  guest: 'Guest',
};

/** The rights that have columns; ownership is clear from the role's name. */
export const rightColumns = ['view', 'control', 'configure', 'invite'] as const;

/** "May view, control and configure" */
export function rightsText(rights: readonly HomeRight[]): string {
  const may = rightColumns.filter(right => rights.includes(right));
  return may.length === 0 ? 'Can do nothing' : `May ${listText(may)}`;
}

/** "Sees 2 of 6 devices and controls 1" */
export function guestText({ devices }: GuestAccess, deviceCount: number): string {
  const controlled = devices.filter(({ mayControl }) => mayControl).length;
  return `Sees ${devices.length} of ${deviceCount} devices and controls ${controlled || 'none'}`;
}
