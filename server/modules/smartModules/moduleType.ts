import type { z } from 'zod';
import type { ConfigFault, ModuleTypeId } from '#contract/moduleConfig.ts';
import type { Attempt, Explanation, ModuleEvent } from '#contract/moduleRun.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** A type of smart module: its configuration and its behavior. */
export interface ModuleType<Config extends object = object> {
  id: ModuleTypeId;
  name: string;
  /** Its purpose, in one sentence. */
  summary: string;
  /** The types of modules whose data it can use. */
  dataSourceModuleTypes: readonly ModuleTypeId[];
  takesEvents: boolean;
  /**
   * True if nothing it does causes an event for a module: it cannot continue a chain, and so also runs at the end of
   * one.
   */
  causesNothing?: boolean;
  isDataSource: boolean;
  /**
   * The shape of its configuration. `.meta({ title, description, ui })` of a property are hints for the form; a
   * property whose control is `secret` is encrypted at rest and never read back. Secrets are properties of objects, not
   * items of lists.
   */
  config: z.ZodType<Config>;
  /** Adds what the platform generates for a new module, such as a signing secret. */
  fillIn?: (config: Record<string, unknown>) => Record<string, unknown>;
  /** Where the secret at a JSON pointer is sent, such as a URL: if that changes, the secret must be entered again. */
  secretsGoTo?: (config: Config, pointer: string) => string;
  /** Checks a configuration of the right shape; returns errors, and notes about a valid one. */
  check?: (config: Config, given: Checking) => Promise<{ faults: ConfigFault[]; notes?: string[] }>;
  /** Checks the parts that are there while others are missing, so that an error is not hidden by an empty field. */
  checkParts?: (given: Readonly<Record<string, unknown>>, checking: Checking) => Promise<ConfigFault[]>;
  /**
   * Decides for which of the subscribed events it runs; absent for all. Called in the order of each device's events, and
   * outside of a transaction, because it may take long: the dispatchers of all shards wait for open transactions.
   * `isPrompt`: other projects wait for it, so what takes long is `late`, and is asked for again without them.
   */
  choose?: (
    events: readonly Chosen<Config>[],
    platform: Platform,
    how: { isPrompt: boolean },
  ) => Promise<Choosing<Config>>;
  /**
   * Quickly decides by the event alone that it does nothing, without calling `choose`, unless it has a state for the
   * device, according to `remembering`.
   */
  ignores?: (config: Config, event: ModuleEvent) => boolean;
  /** States that an ignored event may end: which modules have a state for which of these devices. */
  remembering?: (
    db: Db,
    projectIds: readonly string[],
    deviceIds: readonly string[],
  ) => Promise<{ projectId: string; moduleId: string; deviceId: string }[]>;
  /**
   * Returns what became due for a device without an event, such as a condition that has held for five minutes, as far as
   * events were read: one that is still to be read may have ended it. Called each second, in the transaction that stores
   * a run for each. Returns at most `limit`; called again at once if there are as many.
   */
  elapsed?: (db: Db, given: { read: ReadUntil; limit: number }) => Promise<Elapsed[]>;
  /** The next time after this one at which a module with a schedule is due. */
  dueAfter?: (config: Config, after: Date) => Date | undefined;
  /**
   * Seconds to wait before each attempt since the previous one; the first is 0. After the last one, the run has failed.
   */
  attemptsAfterS: readonly number[];
  /** Executes an attempt of a run. An exception counts as a failed attempt. */
  run: (run: Running<Config>, platform: Platform) => Promise<Outcome>;
  /** Explains why it would or would not run for a subscribed event. */
  explain?: (
    given: Chosen<Config>,
    platform: Platform,
  ) => Promise<Pick<Explanation, 'hit' | 'steps' | 'saw'>>;
  /** Tests a module without an event. */
  test?: (given: Testing<Config>, platform: Platform) => Promise<Outcome>;
  /** Called when a module was saved, suspended or resumed, or is about to be deleted, in the same transaction. */
  changed?: (db: Db, module: OpenModule<Config>, platform: Platform) => Promise<void>;
}

/** What a configuration is checked against. */
export interface Checking {
  db: Db;
  platform: Platform;
  projectId: string;
  /** Undefined if the module has not been saved yet. */
  moduleId: string | undefined;
  subscribedEvents: readonly string[];
  deviceClasses: readonly string[];
  dataSourceModules: readonly string[];
}

/** A module with its configuration as it is used, including its secrets. */
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

/** The current device of an event. */
export interface EventDevice {
  id: string;
  tag: string;
  name: string;
  deviceClass: string;
  homeId: string | undefined;
  connected: boolean;
  /** When it connected or disconnected. */
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

/** What was found out about events. */
export interface Choosing<Config extends object = object> {
  /** The projects that need longer than others can wait. */
  late: ReadonlySet<string>;
  /**
   * Decides for those of the events whose projects are not late, in the transaction that stores the runs, so that the
   * type's states for devices are stored together with them.
   */
  decide: (db: Db, events: readonly Chosen<Config>[]) => Promise<Choice[]>;
}

/** `causesNothing`: as for a type, but for this event. `error`: undecided, which counts as a failed run. */
export type Choice = { hit: boolean; causesNothing?: boolean } | { error: string };

/** The time until which the events of a shard were read, and for its late projects, an earlier one. */
export interface ReadUntil {
  shard: number;
  until: Date;
  late: readonly [projectId: string, until: Date][];
}

/** A run for a device that is caused by elapsed time. */
export interface Elapsed {
  projectId: string;
  moduleId: string;
  deviceId: string;
  dueAt: Date;
  /** The event with which the time began. */
  event: Pick<ModuleEvent, 'id' | 'name'> & { ts: Date };
  /** The runs that led to that event. */
  causedBy: readonly string[];
}

/** An attempt of a run. */
export interface Running<Config extends object = object> {
  runId: string;
  module: OpenModule<Config>;
  /** Absent for a run on schedule. With `dueAt`: the event with which the elapsed time began. */
  event?: ModuleEvent;
  device?: EventDevice;
  /** The reported state right after the event; with `dueAt`, the current one. */
  state?: Record<string, unknown>;
  dueAt?: Date;
  /** Starts at 1. */
  attempt: number;
  isTest: boolean;
  /** It may have been chosen by what the module was before it was changed. */
  isOlder?: boolean;
  /** The runs that led to the event, oldest first; the actions of this run are caused by them and by this run. */
  causedBy: readonly string[];
  now: Date;
  signal: AbortSignal;
}

export interface Testing<Config extends object = object> {
  /** The id under which the test is stored. */
  runId: string;
  module: OpenModule<Config>;
  event?: Chosen<Config>;
  /** Whether its actions are carried out. */
  act: boolean;
  now: Date;
}

export interface Outcome extends Omit<Attempt, 'at' | 'ms'> {
  /** No further attempt, because it cannot succeed. */
  isFinal?: boolean;
  /** There was nothing to do, or the module has just acted for this device; the summary says which. */
  isHeld?: boolean;
  /** There is nothing to do yet: the run is repeated at this time, as if it had not been attempted. */
  putOffUntil?: Date;
  /** Suspends the module for this reason. */
  suspend?: string;
  /** Number of seconds that the other server asked to wait. */
  retryAfterS?: number;
}

/** Infers the type of the configuration from a declaration. */
export const moduleType = <Config extends object>(type: ModuleType<Config>): ModuleType<Config> => type;
