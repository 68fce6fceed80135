import type { InstalledFrame } from '#contract/deviceFrames.ts';
import type { Target } from '#sdk/frames.ts';
import { isObject } from '#sdk/json.ts';

/**
 * One small text that survives a power cut: a file that is renamed into place, two pages of flash, a row. `write` must
 * be atomic: afterwards, `read` returns either the new text or the previous one.
 */
export interface UpdateStore {
  read(): string | undefined | Promise<string | undefined>;
  write(text: string): void | Promise<void>;
}

/** The update in progress. */
export interface Pending {
  sequence: number;
  /** The target without its links, which expire. */
  target: Target;
  stage: 'download' | 'install' | 'reboot' | 'trial';
  /** The component being downloaded, and how much of it is written; those before it are complete. */
  component: string;
  offset: number;
  /** True: a delta did not produce the right file, so whole files are downloaded from then on. */
  isWhole?: boolean;
  /** How often the installation was started. */
  installs: number;
  /** Why the trial failed. */
  fault?: { code: string; error: string };
}

/** The stored state of the updater. */
export interface UpdateMemory {
  installed: InstalledFrame;
  /** The security version of each component; a device never installs a lower one. */
  securityVersions: Record<string, number>;
  /** The highest sequence of an installed target. */
  sequence: number;
  pending?: Pending;
  /** The target that will not be tried again. */
  refused?: { sequence: number; code: string };
  /** How often the target failed its integrity check. */
  integrity?: { sequence: number; count: number };
}

/** Reads the stored state; if there is none, starts with the factory firmware. */
export async function readMemory(store: UpdateStore, factory: InstalledFrame): Promise<UpdateMemory> {
  const text = await store.read();
  const stored: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isMemory(stored)) return stored;
  return { installed: factory, securityVersions: {}, sequence: 0 };
}

function isMemory(value: unknown): value is UpdateMemory {
  return isObject(value) && isObject(value.installed) && isObject(value.securityVersions);
}
