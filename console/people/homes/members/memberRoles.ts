/** Only a transfer makes someone the owner. */
export type ChosenRole = 'admin' | 'member' | 'guest';

export const memberRoleChoices = [
  {
    value: 'admin',
    label: 'Admin',
    hint: 'Views, controls and configures all devices, claims new ones, and invites members and guests.',
  },
  { value: 'member', label: 'Member', hint: 'Views and controls all devices.' },
  {
    value: 'guest',
    label: 'Guest',
    hint: 'Views only the devices you list, within a time you set, and controls those you allow.',
  },
] as const satisfies readonly { value: ChosenRole; label: string; hint: string }[];
