import type { InstalledFrame, ProgressFrame } from '#contract/deviceFrames.ts';
import type { Stop } from '#sdk/connection/listeners.ts';
import type { Fetch } from '#sdk/fetch.ts';
import type { Target, TargetComponent } from '#sdk/frames.ts';
import type { Trust } from './trust.ts';
import type { UpdateStore } from './updateMemory.ts';
import type { Wait } from './wait.ts';

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
  reportProgress(progress: ProgressFrame): Promise<void>;
  reportInstalled(installed: InstalledFrame): Promise<void>;
}

export interface UpdaterOptions {
  device: UpdateLink;
  parts: FirmwareParts;
  store: UpdateStore;
  /** What runs if the store is empty: the firmware the device left the factory with. */
  installed: InstalledFrame;
  /** If given, targets for another class are refused. */
  deviceClass?: string;
  /** If given, signatures are verified. */
  trust?: Trust;
  fetch?: Fetch;
  /** In place of timers, and of the clock. */
  wait?: Wait;
  now?: () => Date;
}
