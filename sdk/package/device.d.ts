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
  /** A device does not go back below it. */
  securityVersion?: number;
  /** Of the developer’s offline key. */
  signature?: { keyId: string; value: string };
  /** Makes this file from the one with the checksum `from`. */
  delta?: { format: 'zstd-patch'; from: string; url: string; size: number; sha256: string };
}

/** The firmware that shall run. */
export interface Target {
  sequence: number;
  bundleId: string;
  deviceClass?: string;
  components: TargetComponent[];
  /** What the people of the home answered: install it, or not before a time. */
  consent?: { answer: 'install' | 'later'; until?: string };
  /** Of the platform’s key. */
  proof?: { issuedAt: string; expiresAt: string; digest: string; signature: string };
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
  state:
    | 'accepted'
    | 'downloading'
    | 'verifying'
    | 'ready'
    | 'installing'
    | 'rebooting'
    | 'confirming'
    | 'done'
    | 'failed'
    | 'declined'
    | 'postponed';
  /** Of the target it is about. */
  sequence?: number | undefined;
  percent?: number | undefined;
  component?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  until?: string | undefined;
  waitsFor?: 'consent' | 'window' | 'battery' | undefined;
}

export interface Installed {
  bundleId?: string | undefined;
  sequence?: number | undefined;
  components: { component: string; version: string; sha256?: string | undefined }[];
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
    alert: { severity: 'info' | 'warning' | 'critical'; text: string; key?: string | undefined },
    payload?: JsonObject,
  ): Promise<void>;
  resolveAlert(
    name: string,
    which?: { key?: string | undefined; text?: string | undefined },
    payload?: JsonObject,
  ): Promise<void>;
  reportEntities(entities: { name: string; class: string; state?: Json | undefined }[]): Promise<void>;
  reportInstalled(installed: Installed): Promise<void>;
  reportProgress(progress: Progress): Promise<void>;
  log(level: LogLevel, text: string): void;
  onCommand(name: string, handler: CommandHandler): Stop;
  onLogRequest(source: (request: LogRequest) => Lines | undefined | Promise<Lines | undefined>): Stop;
  onStatus(hear: (status: Status) => void): Stop;
  onDesired(hear: (desired: { version: number; state: JsonObject }) => void): Stop;
  onDelta(hear: (delta: { version: number; state: JsonObject }) => void): Stop;
  onConfig(hear: (pairs: JsonObject) => void): Stop;
  onTarget(hear: (target: Target | null) => void): Stop;
  /** Asks for the firmware that shall run, over HTTP. The answer has fresh links. */
  readTarget(): Promise<Target | null>;
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

/** Whether an update may go on; asked before the download and before the installation. */
export type May =
  | 'yes'
  | 'decline'
  /** Asked again once `proceed()` is called. */
  | { waitsFor: 'consent' | 'window' | 'battery' }
  | { postponedUntil: Date };

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What only the device itself can do. Each may throw an `UpdateFault` to say why it cannot. */
export interface FirmwareParts {
  /** Writes a part of a component’s file at an offset, beside what runs. After a crash, the same bytes come again. */
  write(component: TargetComponent, bytes: Uint8Array, offset: number): void | Promise<void>;
  /** SHA-256 of what was written, read back, in hexadecimal digits: see `sha256Of`. */
  checksum(component: TargetComponent): string | Promise<string>;
  /** Prepares what was written to be started once: if it is not confirmed, the next start is of the old version. */
  install(components: TargetComponent[], target: Target): void | Promise<void>;
  /**
   * May resolve before the device goes down. True: it has rebooted although this program goes on, as in a simulator.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a real device has nothing to return
  reboot(): void | boolean | Promise<void | boolean>;
  /** Whether what was installed last is what runs now; false if the boot loader went back to the old version. */
  bootedNew(): boolean | Promise<boolean>;
  /** Throws, or returns false, if the new version does not work. */
  selfTest?(): boolean | Promise<boolean>;
  /** Makes the new version the one that starts from now on. */
  confirm(): void | Promise<void>;
  /** Goes back to the old version, with a reboot. */
  revert(): void | Promise<void>;
  mayUpdate?(target: Target, before: 'download' | 'install'): May | Promise<May>;
  /** How much can be written. */
  freeBytes?(): number | Promise<number>;
  /**
   * The new file of a component, in pieces, made from the one that runs and a delta: a frame of zstd with the old file as
   * dictionary. Without it, or if it throws, whole files are downloaded.
   */
  patch?(component: TargetComponent, delta: Uint8Array): Pieces | Promise<Pieces>;
  /** If files come another way than over HTTP: from a hub in the same house, say. */
  download?(component: TargetComponent, signal: AbortSignal): Promise<void>;
}

/** The connection; a `Device` is one. */
export interface UpdateLink {
  readonly id: string;
  onTarget(hear: (target: Target | null) => void): Stop;
  readTarget(): Promise<Target | null>;
  reportProgress(progress: Progress): Promise<void>;
  reportInstalled(installed: Installed): Promise<void>;
}

/**
 * One small text that survives a power cut: a file that is renamed into place, two pages of flash, a row. `write` has to
 * be atomic: after it, `read` returns the new text or the one before.
 */
export interface UpdateStore {
  read(): string | undefined | Promise<string | undefined>;
  write(text: string): void | Promise<void>;
}

/** Ed25519 public keys: their 32 bytes in base64. */
export interface Trust {
  /** The id of the project: part of what a developer signs. */
  project: string;
  /** If given, every component has to be signed with one of them. */
  developerKeys?: { id: string; publicKey: string }[];
  /** If given, every target has to be signed with it. */
  platformKey?: string;
}

export interface UpdaterOptions {
  device: UpdateLink;
  parts: FirmwareParts;
  store: UpdateStore;
  /** What runs if the store is empty: the firmware the device left the factory with. */
  installed: Installed;
  /** If given, targets for another class are refused. */
  deviceClass?: string;
  /** If given, signatures are verified. */
  trust?: Trust;
}

/** Brings a device to the firmware it is to run, and goes on after a power cut at any point. */
export class FirmwareUpdater {
  constructor(options: UpdaterOptions);
  /** Call it once at each start of the device. */
  start(): Promise<void>;
  /** Ends what is under way; the next `start` goes on with it. */
  stop(): void;
  /** Something that `mayUpdate` depends on has changed, so it is asked again. */
  proceed(): void;
  readonly installed: Installed;
  readonly isRunning: boolean;
  onInstalled(hear: (installed: Installed) => void): Stop;
  /** Everything that is reported to the platform. */
  onProgress(hear: (progress: Progress) => void): Stop;
}

/**
 * Why an update failed. Your own parts throw it to say why; anything else is `network` from a download, which is tried
 * again, and `install_failed` from the others.
 */
export class UpdateFault extends Error {
  constructor(code: string, message: string, options?: ErrorOptions);
  readonly code: string;
  readonly class: 'transient' | 'unable' | 'integrity' | 'final' | 'choice';
}

/** Of a file that is read in pieces. */
export function sha256Of(pieces: Pieces): Promise<string>;
