import type { Log } from '#server/log.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './db/sql.ts';
import type { LogBatch } from './logs/batch.ts';
import type { Outside } from './outside/fetchOutside.ts';
import type { ProxyLimits } from './proxyRoutes/forward/proxyLimits.ts';
import type { Sealing } from './sealing.ts';
import type { Traffic } from './stats/traffic.ts';
import type { Storage } from './storage/storage.ts';

/** What every part of the server is handed: the outside world, so that a test can bring its own. */
export interface Platform {
  config: Config;
  db: Database;
  bus: Bus;
  sealing: Sealing;
  traffic: Traffic;
  outside: Outside;
  storage: Storage;
  /** What calls of back ends by proxy routes may take. */
  proxyLimits: ProxyLimits;
  clock: () => Date;
  /** Ids sort by time: by now, or by the moment given. */
  newId: (prefix: string, at?: Date) => string;
  /** Where the console is as people type it, without a slash at the end; links in mails begin so. */
  publicUrl: () => string;
  /** Where this process takes devices over MQTT, once it does. */
  mqttUrl: () => string | undefined;
  /** Whether a device has a connection to this process over which it hears that topic (without its prefix). */
  isHeard: (deviceId: string, topic: string) => boolean;
  /** Makes what a new developer finds on arrival, in the transaction that makes the account. */
  welcome: (db: Db, developer: { id: string; orgId: string }) => Promise<void>;
  /** For entries of devices' logs that nobody waits for. */
  systemLog: LogBatch;
  log: Log;
}
