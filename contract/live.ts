import type { LogEntry } from './log.ts';

/** The updates about one device, sent while someone has it open. */
export const deviceNews = [
  'presence',
  'state',
  'desiredChange',
  'event',
  'command',
  'log',
  'entry',
  'logRequest',
  'quarantine',
] as const;
export type DeviceNews = (typeof deviceNews)[number];

/** The updates a console receives while a project is open; `kind` is the name of the server-sent event. */
export type LiveMessage =
  /**
   * The first message: the newest audit entry of the last day, and its age. A client that has already received this
   * entry, or has read everything it shows since then, has missed no change.
   */
  | { kind: 'opened'; lastEntryId: string | null; lastEntryAgeMs: number | null }
  /**
   * A moment after `opened`: how long ago the project's devices last changed before the stream could report it, and how
   * long ago the device on screen did something; at most ten minutes. What was read since then is current.
   */
  | { kind: 'before'; devicesAgeMs: number; deviceAgeMs?: number | undefined }
  /** The path of the call that changed something, and the other reads that its endpoint invalidates. */
  | { kind: 'changed'; path: string; makesOld?: readonly string[] | undefined }
  | { kind: 'entry'; entry: LogEntry }
  /** Devices that connected, disconnected or reported firmware; null: too many to list. */
  | { kind: 'devices'; deviceIds: string[] | null }
  /**
   * `data` has the shape the API returns: a device, its state, a desired change, an event, a command, a log line, an
   * entry, a log request.
   */
  | { kind: 'device'; deviceId: string; what: DeviceNews; data: unknown };
