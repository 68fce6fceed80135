import type { Bus } from './bus/bus.ts';
import type { RecentChanges } from './bus/recentChanges.ts';
import type { Config } from './config.ts';
import type { Database } from './db/sql.ts';
import type { Log } from './log.ts';
import type { Outside } from './outside/fetchOutside.ts';
import type { PromisedTurns } from './pace/promisedTurns.ts';
import type { Sealing } from './sealing.ts';
import type { Storage } from './storage/storage.ts';

/**
 * What every part of the server gets: the outside world, which a test can replace. What nouns add is declared beside
 * their code (`declare module`), so that this file knows none of them.
 */
export interface Platform {
  config: Config;
  db: Database;
  bus: Bus;
  recentChanges: RecentChanges;
  sealing: Sealing;
  outside: Outside;
  storage: Storage;
  /** Of guesses at passwords and codes: see `countGuess`. */
  promisedTurns: PromisedTurns;
  clock: () => Date;
  /** Ids sort by time: the current time, or the one given. */
  newId: (prefix: string, at?: Date) => string;
  /** The address of the console as people type it, without a trailing slash. Links in e-mails start with it. */
  publicUrl: () => string;
  /** Where this process accepts devices over MQTT; undefined before it does. */
  mqttUrl: () => string | undefined;
  /** Whether a device has a connection to this process that receives that topic (without its prefix). */
  isHeard: (deviceId: string, topic: string) => boolean;
  log: Log;
}
