import type { InstalledFrame } from '#contract/deviceFrames.ts';
import type { Target } from '#sdk/frames.ts';
import { isObject } from '#sdk/json.ts';

/**
 * One small text that survives a power cut: a file that is renamed into place, two pages of flash, a row. `write` has to
 * be atomic: after it, `read` returns the new text or the one before.
 */
export interface UpdateStore {
  read(): string | undefined | Promise<string | undefined>;
  write(text: string): void | Promise<void>;
}

/** The target that is under way. */
export interface Pending {
  sequence: number;
  /** Without the links, which expire. */
  target: Target;
  stage: 'download' | 'install' | 'reboot' | 'trial';
  /** Which component is being downloaded, and how much of it is written; those before it are complete. */
  component: string;
  offset: number;
  /** A delta did not give the right file: whole files from then on. */
  isWhole?: boolean;
  /** How often its installation began. */
  installs: number;
  /** Why its trial failed. */
  fault?: { code: string; error: string };
}

/** What the updater remembers. */
export interface UpdateMemory {
  installed: InstalledFrame;
  /** Of each component: a device does not go back below it. */
  securityVersions: Record<string, number>;
  /** The highest of a target that was installed. */
  sequence: number;
  pending?: Pending;
  /** Will not be tried again. */
  refused?: { sequence: number; code: string };
  /** How often the target failed with a fault of integrity. */
  integrity?: { sequence: number; count: number };
}

/** What was stored; if there is nothing, the firmware the device left the factory with. */
export async function readMemory(store: UpdateStore, factory: InstalledFrame): Promise<UpdateMemory> {
  const text = await store.read();
  const stored: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isMemory(stored)) return stored;
  return { installed: factory, securityVersions: {}, sequence: 0 };
}

function isMemory(value: unknown): value is UpdateMemory {
  return isObject(value) && isObject(value.installed) && isObject(value.securityVersions);
}
