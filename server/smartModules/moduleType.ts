import type { z } from 'zod';
import type { Attempt, Explanation, ModuleEvent } from '#contract/moduleRun.ts';
import type { ConfigFault, ModuleTypeId } from '#contract/smartModule.ts';
import type { Db } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

/** A type of smart module: its configuration, and what its modules do. */
export interface ModuleType<Config extends object = object> {
  id: ModuleTypeId;
  name: string;
  /** What it is for, in one sentence. */
  summary: string;
  /** The types of the modules it can take data from. */
  dataSourceModuleTypes: readonly ModuleTypeId[];
  takesEvents: boolean;
  /** Nothing it does is an event for a module: it cannot keep a chain going, and acts at the end of one too. */
  causesNothing?: boolean;
  isDataSource: boolean;
  /**
   * Its configuration. `.meta({ title, description, ui })` at a property are hints for the form; one whose control is
   * `secret` is encrypted at rest and never read back. Secrets are properties of objects, not of items of lists.
   */
  config: z.ZodType<Config>;
  /** Fills in what the platform chooses for a new module, such as a signing secret. */
  fillIn?: (config: Record<string, unknown>) => Record<string, unknown>;
  /** Where the secret at a JSON pointer goes, such as an address: when that changes, it has to be given again. */
  secretsGoTo?: (config: Config, pointer: string) => string;
  /** What is wrong with a configuration of the right shape; and what can be said of one that fits. */
  check?: (config: Config, given: Checking) => Promise<{ faults: ConfigFault[]; notes?: string[] }>;
  /**
   * Which of the events it is subscribed to it does something for; absent: all. In the order of the events of each
   * device, and in the transaction that stores the runs, so that what it remembers of them is stored with them.
   */
  choose?: (events: readonly Chosen<Config>[], platform: Platform, db: Db) => Promise<Choice[]>;
  /**
   * Told at once, by the event alone, for very many: it does nothing for it, and need not be asked; unless it remembers
   * something of the device, which `remembering` says.
   */
  ignores?: (config: Config, event: ModuleEvent) => boolean;
  /** What an ignored event may end: which modules remember something of which of these devices. */
  remembering?: (
    db: Db,
    projectIds: readonly string[],
    deviceIds: readonly string[],
  ) => Promise<{ projectId: string; moduleId: string; deviceId: string }[]>;
  /**
   * What became due for a device without an event, such as a condition that has held for five minutes: asked each second,
   * in the transaction that stores a run for each. Returns at most `limit`; asked again at once if there are as many.
   */
  elapsed?: (db: Db, given: { now: Date; limit: number }) => Promise<Elapsed[]>;
  /** When a module that works by the clock is due after that time. */
  dueAfter?: (config: Config, after: Date) => Date | undefined;
  /** Seconds to wait before each attempt, from the one before; the first is 0. After the last a run has failed. */
  attemptsAfterS: readonly number[];
  /** Does one run, or tries to. Throwing is a failed attempt. */
  run: (run: Running<Config>, platform: Platform) => Promise<Outcome>;
  /** Why it would, or would not, do something for an event it is subscribed to. */
  explain?: (
    given: Chosen<Config>,
    platform: Platform,
  ) => Promise<Pick<Explanation, 'hit' | 'steps' | 'saw'>>;
  /** Tries it without an event. */
  test?: (given: Testing<Config>, platform: Platform) => Promise<Outcome>;
  /** Called when a module was saved, suspended, resumed or is about to be deleted, in the transaction of that change. */
  changed?: (db: Db, module: OpenModule<Config>, platform: Platform) => Promise<void>;
}

/** What a configuration is checked against. */
export interface Checking {
  db: Db;
  platform: Platform;
  projectId: string;
  /** Undefined: not saved yet. */
  moduleId: string | undefined;
  subscribedEvents: readonly string[];
  deviceClasses: readonly string[];
  dataSourceModules: readonly string[];
}

/** A module with its configuration as it is used: with its secrets. */
export interface OpenModule<Config extends object = object> {
  projectId: string;
  id: string;
  moduleType: ModuleTypeId;
  description: string;
  subscribedEvents: readonly string[];
  deviceClasses: readonly string[];
  bulkDataLabel: string;
  dataSourceModules: readonly string[];
  suspended: boolean;
  revision: number;
  createdAt: Date;
  config: Config;
}

/** The device an event is of, as it is now. */
export interface EventDevice {
  id: string;
  tag: string;
  name: string;
  deviceClass: string;
  homeId: string | undefined;
  connected: boolean;
  /** Since when it is connected, or not. */
  since: Date | undefined;
}

/** An event for a module that is subscribed to it. */
export interface Chosen<Config extends object = object> {
  module: OpenModule<Config>;
  event: ModuleEvent;
  device: EventDevice;
  /** The reported state right after the event. */
  state: Record<string, unknown>;
  /** The runs that led to the event. */
  causedBy: readonly string[];
}

/** `causesNothing`: as for a type, of this event. `error`: it could not be decided, which counts as a run that failed. */
export type Choice = { hit: boolean; causesNothing?: boolean } | { error: string };

/** A run that the clock causes for a device. */
export interface Elapsed {
  projectId: string;
  moduleId: string;
  deviceId: string;
  dueAt: Date;
  /** The event that began it. */
  event: Pick<ModuleEvent, 'id' | 'name'> & { ts: Date };
  /** The runs that led to that event. */
  causedBy: readonly string[];
}

/** What is done now. */
export interface Running<Config extends object = object> {
  runId: string;
  module: OpenModule<Config>;
  /** Absent: a run of the clock. With `dueAt`: the event that began what has elapsed. */
  event?: ModuleEvent;
  device?: EventDevice;
  /** The reported state right after the event; now, if `dueAt` is there. */
  state?: Record<string, unknown>;
  dueAt?: Date;
  /** From 1. */
  attempt: number;
  isTest: boolean;
  /** The runs that led to the event, first to last; what it does now is caused by them and by this run. */
  causedBy: readonly string[];
  now: Date;
  signal: AbortSignal;
}

export interface Testing<Config extends object = object> {
  /** It is on record under this id. */
  runId: string;
  module: OpenModule<Config>;
  event?: Chosen<Config>;
  /** Whether its actions are carried out. */
  act: boolean;
  now: Date;
}

export interface Outcome extends Omit<Attempt, 'at' | 'ms'> {
  /** No further attempt: it cannot come to anything. */
  isFinal?: boolean;
  /** There was nothing to do, or it acted for this device a moment ago; the summary says which. */
  isHeld?: boolean;
  /** There was nothing to do yet: it is done then, as if it had not been tried. */
  putOffUntil?: Date;
  /** The module is suspended for this reason. */
  suspend?: string;
  /** Seconds that the other side asked to be left alone. */
  retryAfterS?: number;
}

/** Keeps the type of the configuration together while it is declared. */
export const moduleType = <Config extends object>(type: ModuleType<Config>): ModuleType<Config> => type;
