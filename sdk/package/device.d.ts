// What the package says of itself. That it says the same as the code is checked in `types.test.ts`.

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };
export type Stop = () => void;

export interface DeviceOptions {
  /** Where the platform is, as `https://mooring.example.com`, or its WebSocket. */
  url: string;
  deviceId: string;
  apiKey: string;
  /**
   * The device id unless given: a device that returns takes over from its older connection. A second program of the
   * same device needs another.
   */
  clientId?: string;
  /** 60 unless given; 0 for none. */
  keepAliveS?: number;
  /** What may wait to be sent: 1,000 messages and 4 MiB unless given. */
  outbox?: { countMax?: number; bytesMax?: number };
  /** How fast it sends; a little slower than what a project allows by default. */
  rate?: { perS: number; burst: number };
  /** Where answers to commands are kept; in memory unless given. */
  commandMemory?: CommandMemory;
}

export type Status =
  | { state: 'connecting' }
  | { state: 'connected'; since: Date }
  | { state: 'waiting'; reason: string; text: string; retryAt: Date }
  | { state: 'offline' }
  | { state: 'closed' };

export interface Command {
  id: string;
  name: string;
  args: Json;
  expiresAt: Date;
  /** Resolves when the platform has the answer: only then is it safe to reboot. */
  answered: Promise<void>;
}

/** What it returns is the result; what it throws is the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler need not return anything
export type CommandHandler = (args: Json, command: Command) => Json | void | Promise<Json | void>;

/** What was answered, by the command's id. One that outlives a reboot keeps a command from being done twice over it. */
export interface CommandMemory {
  get(id: string): Answer | undefined;
  set(id: string, answer: Answer): void;
}
export type Answer = { ok: true; result?: Json | undefined } | { ok: false; error: string };

export interface TargetComponent {
  component: string;
  version: string;
  size: number;
  sha256: string;
  url: string;
  config?: Json;
}

/** The firmware that shall run. */
export interface Target {
  sequence: number;
  bundleId: string;
  components: TargetComponent[];
}

export interface Rejected {
  topic: string;
  reason: string;
  message: string;
  faults?: { at: string; text: string }[] | undefined;
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LogLine {
  ts: Date;
  level: LogLevel;
  text: string;
}
export type LogRequestEnd = 'uploaded' | 'nologs' | 'failure' | 'over';

export interface LogRequest {
  id: string;
  start: Date;
  end: Date;
  prefixes: string[];
  ended: Promise<LogRequestEnd>;
}
type Lines = Iterable<LogLine> | AsyncIterable<LogLine>;

export interface Progress {
  state: 'downloading' | 'installing' | 'rebooting' | 'done' | 'failed' | 'declined';
  percent?: number | undefined;
  component?: string | undefined;
  error?: string | undefined;
}

/** Connects a device and keeps it connected. */
export function connectDevice(options: DeviceOptions): Device;

export interface Device {
  readonly id: string;
  readonly status: Status;
  /** How many messages are not yet acknowledged. */
  readonly waiting: number;
  reportState(patch: JsonObject): Promise<void>;
  sendEvent(name: string, payload?: Json): Promise<void>;
  raiseAlert(
    name: string,
    alert: { severity: 'info' | 'warning' | 'critical'; text: string },
    payload?: JsonObject,
  ): Promise<void>;
  reportEntities(entities: { name: string; class: string; state?: Json | undefined }[]): Promise<void>;
  reportInstalled(installed: {
    bundleId?: string | undefined;
    components: { component: string; version: string }[];
  }): Promise<void>;
  reportProgress(progress: Progress): Promise<void>;
  log(level: LogLevel, text: string): void;
  onCommand(name: string, handler: CommandHandler): Stop;
  onLogRequest(source: (request: LogRequest) => Lines | undefined | Promise<Lines | undefined>): Stop;
  onStatus(hear: (status: Status) => void): Stop;
  onDesired(hear: (desired: { version: number; state: JsonObject }) => void): Stop;
  onDelta(hear: (delta: { version: number; state: JsonObject }) => void): Stop;
  onConfig(hear: (pairs: JsonObject) => void): Stop;
  onTarget(hear: (target: Target | null) => void): Stop;
  onLogWanted(hear: (wanted: boolean) => void): Stop;
  onRejected(hear: (rejected: Rejected) => void): Stop;
  connect(): void;
  disconnect(how?: { abruptly?: boolean }): void;
  close(): void;
}

/** Why a message was not taken, or will not be sent any more. */
export class SendFault extends Error {
  readonly reason: 'CLOSED' | 'OUTBOX_FULL' | 'TOO_LARGE' | 'NOT_JSON' | 'NAME_INVALID';
}

export class FirmwareFault extends Error {
  readonly reason: 'UNREACHABLE' | 'SIZE_WRONG' | 'CHECKSUM_WRONG';
}

/** Fetches the file of one component; resolves only when size and checksum are right. */
export function fetchComponent(
  component: TargetComponent,
  options: {
    write: (piece: Uint8Array, bytesSoFar: number) => void | Promise<void>;
    signal?: AbortSignal;
  },
): Promise<void>;
