// The public types of the package. `types.test.ts` checks that they match the code.

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };
export type Stop = () => void;

export interface DeviceOptions {
  /** The URL of the platform, such as `https://mooring.example.com`, or of its WebSocket. */
  url: string;
  deviceId: string;
  apiKey: string;
  /**
   * Defaults to the device id, so that a device that reconnects takes over its older connection. A second program of
   * the same device needs a different one.
   */
  clientId?: string;
  /** In seconds; 60 by default, 0 for none. */
  keepAliveS?: number;
  /** How much may wait to be sent; 1,000 messages and 4 MiB by default. */
  outbox?: { countMax?: number; bytesMax?: number };
  /** How fast the device sends; by default slightly slower than the default rate limit of a project. */
  rate?: { perS: number; burst: number };
  /** Where answers to commands are kept; in memory by default. */
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
  /** Resolves when the platform has stored the answer: only then is it safe to reboot. */
  answered: Promise<void>;
}

/** Handles a command: the returned value is the result, a thrown error is the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler need not return anything
export type CommandHandler = (args: Json, command: Command) => Json | void | Promise<Json | void>;

/** The answers by command id. If it survives a reboot, a command is not executed again after one. */
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
  /** A device never installs a lower security version. */
  securityVersion?: number;
  /** The signature by the developer’s offline key. */
  signature?: { keyId: string; value: string };
  /** Creates this file from the one with the checksum `from`. */
  delta?: { format: 'zstd-patch'; from: string; url: string; size: number; sha256: string };
}

/** The firmware that the device should run. */
export interface Target {
  sequence: number;
  bundleId: string;
  deviceClass?: string;
  components: TargetComponent[];
  /** The home's answer: install now, or not before `until`. */
  consent?: { answer: 'install' | 'later'; until?: string };
  /** The signature by the platform’s key. */
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
  /** The sequence of the target that the report is about. */
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
  /** The number of messages that are not acknowledged yet. */
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
  /** Reads the firmware that the device should run, over HTTP. The answer has fresh links. */
  readTarget(): Promise<Target | null>;
  onLogWanted(hear: (wanted: boolean) => void): Stop;
  onRejected(hear: (rejected: Rejected) => void): Stop;
  connect(): void;
  disconnect(how?: { abruptly?: boolean }): void;
  close(): void;
}

/** Why a message was not accepted, or will never be sent. */
export class SendFault extends Error {
  readonly reason: 'CLOSED' | 'OUTBOX_FULL' | 'TOO_LARGE' | 'NOT_JSON' | 'REJECTED' | 'NAME_INVALID';
}

/** Whether an update may continue; asked before the download and before the installation. */
export type May =
  | 'yes'
  | 'decline'
  /** Asked again when `proceed()` is called. */
  | { waitsFor: 'consent' | 'window' | 'battery' }
  | { postponedUntil: Date };

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The parts of an update that are specific to the device. Each may throw an `UpdateFault` with the reason why it
 * failed.
 */
export interface FirmwareParts {
  /**
   * Writes a part of a component’s file at an offset, separate from the running firmware. After a crash, the same bytes
   * are written again.
   */
  write(component: TargetComponent, bytes: Uint8Array, offset: number): void | Promise<void>;
  /** Reads back what was written and returns its SHA-256 in hexadecimal digits; see `sha256Of`. */
  checksum(component: TargetComponent): string | Promise<string>;
  /**
   * Prepares the new version to be started once: if it is not confirmed, the start after that boots the old version.
   */
  install(components: TargetComponent[], target: Target): void | Promise<void>;
  /**
   * May resolve before the device goes down. True: the device has rebooted although this program continues, as in a
   * simulator.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a real device has nothing to return
  reboot(): void | boolean | Promise<void | boolean>;
  /** Whether the version installed last is running; false if the boot loader went back to the old version. */
  bootedNew(): boolean | Promise<boolean>;
  /** Throws, or returns false, if the new version does not work. */
  selfTest?(): boolean | Promise<boolean>;
  /** Makes the new version permanent. */
  confirm(): void | Promise<void>;
  /** Reboots into the old version. */
  revert(): void | Promise<void>;
  mayUpdate?(target: Target, before: 'download' | 'install'): May | Promise<May>;
  /** The available space in bytes. */
  freeBytes?(): number | Promise<number>;
  /**
   * Returns the new file of a component in chunks, made from the installed one and a delta: a zstd frame with the old
   * file as dictionary. If this is missing or throws, whole files are downloaded.
   */
  patch?(component: TargetComponent, delta: Uint8Array): Pieces | Promise<Pieces>;
  /** Replaces the download over HTTP, for example if files come from a hub in the same house. */
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
 * One small text that survives a power cut: a file that is renamed into place, two pages of flash, a row. `write` must
 * be atomic: afterwards, `read` returns either the new text or the previous one.
 */
export interface UpdateStore {
  read(): string | undefined | Promise<string | undefined>;
  write(text: string): void | Promise<void>;
}

/** Ed25519 public keys: their 32 bytes in base64. */
export interface Trust {
  /** The project id, which is part of what a developer signs. */
  project: string;
  /** If set, every component must be signed with one of these keys. */
  developerKeys?: { id: string; publicKey: string }[];
  /** If set, every target must be signed with this key. */
  platformKey?: string;
}

export interface UpdaterOptions {
  device: UpdateLink;
  parts: FirmwareParts;
  store: UpdateStore;
  /** What is installed if the store is empty: the factory firmware. */
  installed: Installed;
  /** If set, targets for another class are refused. */
  deviceClass?: string;
  /** If set, signatures are verified. */
  trust?: Trust;
}

/** Updates a device to its target firmware, and continues after a power cut at any point. */
export class FirmwareUpdater {
  constructor(options: UpdaterOptions);
  /** Call this once at each start of the device. */
  start(): Promise<void>;
  /** Stops the update in progress; the next `start` continues it. */
  stop(): void;
  /** Call this when something that `mayUpdate` depends on has changed, so that it is asked again. */
  proceed(): void;
  readonly installed: Installed;
  readonly isRunning: boolean;
  onInstalled(hear: (installed: Installed) => void): Stop;
  /** Called with everything that is reported to the platform. */
  onProgress(hear: (progress: Progress) => void): Stop;
}

/**
 * Why an update failed. Your own parts throw it to report the reason; any other error counts as `network` from a
 * download, which is retried, and as `install_failed` from the other parts.
 */
export class UpdateFault extends Error {
  constructor(code: string, message: string, options?: ErrorOptions);
  readonly code: string;
  readonly class: 'transient' | 'unable' | 'integrity' | 'final' | 'choice';
}

/** The SHA-256 of a file that is read in chunks. */
export function sha256Of(pieces: Pieces): Promise<string>;
