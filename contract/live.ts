import type { LogEntry } from './log.ts';

/** What there is to tell about one device while somebody looks at it. */
export const deviceNews = [
  'presence',
  'state',
  'event',
  'command',
  'log',
  'entry',
  'logRequest',
  'quarantine',
] as const;
export type DeviceNews = (typeof deviceNews)[number];

/** What a console hears while a project is open; `kind` is the name of the server-sent event. */
export type LiveMessage =
  | { kind: 'changed'; path: string }
  | { kind: 'entry'; entry: LogEntry }
  /** These came, went or said what runs on them; null: too many to name. */
  | { kind: 'devices'; deviceIds: string[] | null }
  /** `data` is as the API would answer it: a device, its state, an event, a command, a line, an entry, a request. */
  | { kind: 'device'; deviceId: string; what: DeviceNews; data: unknown };
