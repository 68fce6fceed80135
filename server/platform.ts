import type { Log } from '#server/log.ts';
import type { Bus } from './bus/bus.ts';
import type { ToldProjects } from './bus/toldProjects.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './db/sql.ts';
import type { LogBatch } from './logs/batch.ts';
import type { Outside } from './outside/fetchOutside.ts';
import type { ProxyLimits } from './proxyRoutes/forward/proxyLimits.ts';
import type { Sealing } from './sealing.ts';
import type { ErasedUser } from './slice.ts';
import type { Traffic } from './stats/traffic.ts';
import type { Storage } from './storage/storage.ts';

/** What every part of the server gets: the outside world, which a test can replace. */
export interface Platform {
  config: Config;
  db: Database;
  bus: Bus;
  toldProjects: ToldProjects;
  sealing: Sealing;
  traffic: Traffic;
  outside: Outside;
  storage: Storage;
  /** Limits on calls that proxy routes forward to back ends. */
  proxyLimits: ProxyLimits;
  clock: () => Date;
  /** Ids sort by time: the current time, or the one given. */
  newId: (prefix: string, at?: Date) => string;
  /** The address of the console as people type it, without a trailing slash. Links in e-mails start with it. */
  publicUrl: () => string;
  /** Where this process accepts devices over MQTT; undefined before it does. */
  mqttUrl: () => string | undefined;
  /** Whether a device has a connection to this process that receives that topic (without its prefix). */
  isHeard: (deviceId: string, topic: string) => boolean;
  /** Creates the sample project of a new developer, in the transaction that creates the account. */
  welcome: (db: Db, developer: { id: string; orgId: string }) => Promise<void>;
  /** Removes an end user from the rows of all slices, in the transaction that deletes the account. */
  forgetUser: (db: Db, user: ErasedUser) => Promise<void>;
  /** For device log entries that no caller waits for. */
  systemLog: LogBatch;
  log: Log;
}
