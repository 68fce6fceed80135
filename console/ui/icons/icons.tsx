import { icon, line } from './icon.tsx';

export const OverviewIcon = line('M4 20h16M4 15l5-6 4 3.5L20 5');
export const DeviceIcon = icon(
  <>
    <rect x="4" y="3" width="16" height="18" rx="3" />
    <path d="M10 17h4" />
  </>,
);
export const BellIcon = line('M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 2H5l1.5-2zM10 21h4');
export const FirmwareIcon = line('M12 3l8 4.5v9L12 21l-8-4.5v-9L12 3zM4 7.5l8 4.5 8-4.5M12 12v9');
export const AppIcon = icon(
  <>
    <rect x="6.5" y="2.5" width="11" height="19" rx="2.5" />
    <path d="M11 18h2" />
  </>,
);
export const ModuleIcon = line('M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0V8zM12 17v4');
export const UserIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 21c.6-4 3.6-6 7.5-6s6.9 2 7.5 6" />
  </>,
);
export const TeamIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20c.4-3.6 3-5.5 6.5-5.5s6.1 1.9 6.5 5.5M16 4.7a3.5 3.5 0 0 1 0 6.6M18 14.8c2.1.7 3.3 2.4 3.5 5.2" />
  </>,
);
export const SettingsIcon = icon(
  <>
    <circle cx="12" cy="12" r="3" />
    <path d="M12 2.5v3.5M12 18v3.5M2.5 12H6M18 12h3.5M5.3 5.3l2.5 2.5M16.2 16.2l2.5 2.5M18.7 5.3l-2.5 2.5M7.8 16.2l-2.5 2.5" />
  </>,
);
export const ProjectsIcon = icon(
  <>
    <rect x="3.5" y="3.5" width="7" height="7" rx="1.5" />
    <rect x="13.5" y="3.5" width="7" height="7" rx="1.5" />
    <rect x="3.5" y="13.5" width="7" height="7" rx="1.5" />
    <rect x="13.5" y="13.5" width="7" height="7" rx="1.5" />
  </>,
);
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="M15.5 15.5L21 21" />
  </>,
);
export const PlusIcon = line('M12 5v14M5 12h14');
export const CheckIcon = line('M5 12.5l4.5 4.5L19 7.5');
export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="12" height="12" rx="2.5" />
    <path d="M15.5 8.5V6A2.5 2.5 0 0 0 13 3.5H6A2.5 2.5 0 0 0 3.5 6v7A2.5 2.5 0 0 0 6 15.5h2.5" />
  </>,
);
export const MoreIcon = icon(
  <g fill="currentColor" stroke="none">
    <circle cx="5" cy="12" r="1.6" />
    <circle cx="12" cy="12" r="1.6" />
    <circle cx="19" cy="12" r="1.6" />
  </g>,
);
export const ChevronDownIcon = line('M6 9.5l6 6 6-6');
export const ChevronRightIcon = line('M9.5 6l6 6-6 6');
export const ChevronLeftIcon = line('M14.5 6l-6 6 6 6');
export const SortUpIcon = line('M12 18V6M7 11l5-5 5 5');
export const SortDownIcon = line('M12 6v12M7 13l5 5 5-5');
export const CodeIcon = line('M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 4.5l-3 15');
export const MenuIcon = line('M4 7h16M4 12h16M4 17h16');
export const RailIcon = line(
  'M6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5v-11A2.5 2.5 0 0 1 6.5 4zM9.5 4v16',
);
export const DownloadIcon = line('M12 4v11M7 10.5l5 5 5-5M4.5 20h15');
export const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 17h.01" />
  </>,
);
export const UploadIcon = line('M12 15.5V4.5M7 9l5-5 5 5M4.5 20h15');
export const ColumnsIcon = line('M4 5h16v14H4zM9.5 5v14M14.5 5v14');
export const BoltIcon = line('M13 2.5L5 13.5h6l-1 8 8-11h-6l1-8z');
export const WindowIcon = line(
  'M13.5 4H20v6.5M20 4l-8.5 8.5M17.5 13.5V18A2 2 0 0 1 15.5 20H6a2 2 0 0 1-2-2V8.5a2 2 0 0 1 2-2h4.5',
);
export const EditIcon = line('M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19 4 20zM13.5 7l3.5 3.5');
export const PauseIcon = line('M9 5v14M15 5v14');
export const PlayIcon = line('M8 5l11 7-11 7V5z');
export const ShieldIcon = line('M12 3l7.5 2.5V11c0 4.8-3 8.2-7.5 10-4.5-1.8-7.5-5.2-7.5-10V5.5L12 3z');
export const RotateIcon = line('M20 12a8 8 0 1 1-2.5-5.8M20 3.5v4.2h-4.2');
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3 2" />
  </>,
);
