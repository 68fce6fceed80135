import type { ComponentType } from 'react';
import {
  AppIcon,
  BellIcon,
  DeviceIcon,
  FirmwareIcon,
  ModuleIcon,
  OverviewIcon,
  SettingsIcon,
  TeamIcon,
  UserIcon,
} from '#console/ui/icons/icons.tsx';

export interface NavItem {
  label: string;
  icon: ComponentType<{ size?: number }>;
  /** The rail shows only items whose route exists, so none is a dead end. */
  to: string;
  /** The first path segments under the project that belong to this place. */
  parts: readonly string[];
  keys: string;
  /** Shown below a line: it is about the project itself. */
  apart?: boolean;
}

/** The places of a project, in the order of the rail. */
export const projectNav: readonly NavItem[] = [
  { label: 'Overview', icon: OverviewIcon, to: '/projects/$projectId', parts: [''], keys: 'g o' },
  {
    label: 'Devices',
    icon: DeviceIcon,
    to: '/projects/$projectId/devices',
    parts: ['device_classes', 'devices'],
    keys: 'g d',
  },
  {
    label: 'Alerts',
    icon: BellIcon,
    to: '/projects/$projectId/alerts',
    parts: ['alerts'],
    keys: 'g l',
  },
  {
    label: 'Firmware',
    icon: FirmwareIcon,
    to: '/projects/$projectId/firmware',
    parts: ['firmware', 'bundles', 'channels', 'components'],
    keys: 'g f',
  },
  {
    label: 'Apps',
    icon: AppIcon,
    to: '/projects/$projectId/apps',
    parts: ['apps', 'other_clients', 'proxy_routes'],
    keys: 'g a',
  },
  {
    label: 'Smart modules',
    icon: ModuleIcon,
    to: '/projects/$projectId/smart_modules',
    parts: ['smart_modules'],
    keys: 'g m',
  },
  {
    label: 'Users',
    icon: UserIcon,
    to: '/projects/$projectId/users',
    parts: ['users', 'homes'],
    keys: 'g u',
  },
  {
    label: 'Team',
    icon: TeamIcon,
    to: '/projects/$projectId/team',
    parts: ['team'],
    keys: 'g t',
    apart: true,
  },
  {
    label: 'Settings',
    icon: SettingsIcon,
    to: '/projects/$projectId/settings',
    parts: ['settings', 'email_templates', 'user_auth_methods'],
    keys: 'g s',
    apart: true,
  },
];
