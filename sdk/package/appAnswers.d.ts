// The answers and stream messages of the platform, as declared by the app package.

import type { Json } from './app.js';

export interface Me {
  id: string;
  email?: string | undefined;
  name: string;
  language?: string | undefined;
  verified: boolean;
  hasPassword: boolean;
  methods: { methodId: string; label: string; linkedAt: string }[];
  newEmail?: string | undefined;
  createdAt: string;
}

export type Right = 'view' | 'control' | 'configure' | 'invite' | 'own';
export type Role = 'guest' | 'member' | 'admin' | 'owner';

/** A guest's access: only to the listed devices, and only within this time. */
export interface GuestAccess {
  devices: { deviceId: string; mayControl: boolean }[];
  from?: string | undefined;
  until?: string | undefined;
  /** Only on these days (1 is Monday), between these times in the time zone of the home. */
  weekly?: { days: number[]; from: string; to: string } | undefined;
}

export interface MyHome {
  id: string;
  name: string;
  timeZone: string;
  active: boolean;
  role: Role;
  rights: Right[];
  guest?: GuestAccess | undefined;
  owner: { id: string; name: string };
  memberCount: number;
  deviceCount: number;
  transfer?: { to: { id: string; name: string }; expiresAt: string } | undefined;
  createdAt: string;
  revision: number;
}

export interface MyHomeMember {
  userId: string;
  name: string;
  email?: string | undefined;
  role: Role;
  rights: Right[];
  guest?: GuestAccess | undefined;
  joinedAt: string;
  revision: number;
}

export interface MyInvitation {
  id: string;
  home: { id: string; name: string };
  role: Role;
  guest?: GuestAccess | undefined;
  invitedBy: { id: string; name: string };
  expiresAt: string;
}

export interface MyDevice {
  id: string;
  homeId: string;
  name: string;
  tag: string;
  deviceClass: string;
  connectionStatus: 'connected' | 'disconnected' | 'never';
  since?: string | undefined;
  suspended: boolean;
  ownedSince: string;
  rights: Right[];
  revision: number;
}

export interface DeviceEvent {
  id: string;
  ts: string;
  name: string;
  payload: Json;
  alert?: { severity: string; text: string } | undefined;
}

export interface HomeEvent {
  type: 'event';
  ts: string;
  homeId?: string | undefined;
  deviceId?: string | undefined;
  name: string;
  payload: Json;
  alert?: { severity: string; text: string } | undefined;
}

export type AlertState = 'open' | 'acknowledged' | 'resolved';
export interface MyAlert {
  id: string;
  deviceId: string;
  deviceName: string;
  deviceTag: string;
  severity: 'info' | 'warning' | 'critical';
  text: string;
  key: string;
  state: AlertState;
  count: number;
  raisedAt: string;
  lastAt: string;
  /** When the alert entered its current state, and who changed it. */
  change?: { at: string; by: { type: string; name?: string | undefined }; note: string } | undefined;
  revision: number;
}
export type AlertQuery = {
  state?: AlertState;
  limit?: number;
  skip?: number;
  sortBy?: string;
  search?: string;
};

export interface HomeAlert {
  type: 'alert';
  ts: string;
  homeId: string;
  deviceId: string;
  alertId: string;
  what: 'raised' | 'acknowledged' | 'resolved' | 'reopened' | 'changed';
  severity: 'info' | 'warning' | 'critical';
  text: string;
  state: AlertState;
}

export interface Session {
  id: string;
  appId: string;
  deviceName: string;
  address: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

export interface Tokens {
  accessToken: string;
  accessExpiresAt: string;
  refreshToken: string;
  sessionId: string;
  deviceToken: string;
  sessionExpiresAt: string;
  user: Me;
}

/** When a session expires, by the local clock. */
export type SessionInfo = { id: string; accessEndsAt: Date; endsAt: Date };

/** The other members depend on `type`. */
export interface StreamMessage {
  type:
    | 'event'
    | 'state'
    | 'desired'
    | 'presence'
    | 'command'
    | 'alert'
    | 'update'
    | 'device'
    | 'home'
    | 'membership';
  ts: string;
  homeId?: string | undefined;
  deviceId?: string | undefined;
  [member: string]: unknown;
}

/** The firmware that a device should run. */
export interface MyUpdate {
  /** Sent back with the answer, so that the answer only applies to this update. */
  sequence: number;
  versions: { component: string; version: string }[];
  state: string;
  percent?: number | undefined;
  waitsFor?: 'consent' | 'window' | 'battery' | undefined;
  consent?: { answer: 'install' | 'later'; until?: string | undefined; at: string } | undefined;
  /** Whether the update can currently be approved or postponed. */
  answerable: boolean;
}
