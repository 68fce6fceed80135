import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import type { Stop } from '#sdk/connection/listeners.ts';
import type { Fetch } from '#sdk/fetch.ts';
import type { Target, TargetComponent } from '#sdk/frames.ts';
import type { Trust } from './trust.ts';
import type { UpdateStore } from './updateMemory.ts';
import type { Wait } from './wait.ts';

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
  reportProgress(progress: ProgressFrame): Promise<void>;
  reportInstalled(installed: InstalledFrame): Promise<void>;
}

export interface UpdaterOptions {
  device: UpdateLink;
  parts: FirmwareParts;
  store: UpdateStore;
  /** What is installed if the store is empty: the factory firmware. */
  installed: InstalledFrame;
  /** If set, targets for another class are refused. */
  deviceClass?: string;
  /** If set, signatures are verified. */
  trust?: Trust;
  fetch?: Fetch;
  /** Replaces timers and the clock. */
  wait?: Wait;
  now?: () => Date;
}
