import { icon, line } from '#console/ui/icons/icon.tsx';
import { BoltIcon, TeamIcon } from '#console/ui/icons/icons.tsx';
import type { Tab } from './place.ts';

const HomeIcon = line('M4 11l8-7 8 7v9h-5.5v-5.5h-5V20H4v-9z');
const BellIcon = icon(
  <>
    <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15l1.5-2z" />
    <path d="M10 21h4" />
  </>,
);

export const tabIcons = { home: HomeIcon, members: TeamIcon, alerts: BellIcon, events: BoltIcon } as const;
export const tabNames: Record<Tab, string> = {
  home: 'Home',
  members: 'Members',
  alerts: 'Alerts',
  events: 'Events',
};
