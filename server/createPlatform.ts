import { createLocalBus } from './bus/bus.ts';
import { NatsBus } from './bus/nats.ts';
import { newId } from './ids.ts';
import { privateTargets } from './outside/addresses.ts';
import { createOutside } from './outside/fetchOutside.ts';
import type { Resolve } from './outside/resolve.ts';
import type { Platform } from './platform.ts';
import { createSealing, readMasterKey } from './sealing.ts';
import { Traffic } from './stats/traffic.ts';
import { createStorage } from './storage/storage.ts';

interface Made extends Pick<Platform, 'config' | 'db' | 'clock' | 'log'> {
  /** Where the server listens; empty until it does. */
  listening: () => string;
  mqttUrl?: () => string | undefined;
  resolve?: Resolve | undefined;
}

/** The parts that the server and the command line share, put together once. */
export function createPlatform({ config, db, clock, log, listening, mqttUrl, resolve }: Made): Platform {
  return {
    config,
    db,
    clock,
    log,
    bus: config.natsUrl === undefined ? createLocalBus() : new NatsBus(config.natsUrl, log),
    traffic: new Traffic({ db, clock, log }),
    sealing: createSealing(readMasterKey(config.masterKey, config.dataDir)),
    outside: createOutside({
      allowed: privateTargets(config.allowPrivateTargets),
      own: () => [config.publicUrl ?? '', listening()].filter(origin => origin !== ''),
      resolve,
    }),
    storage: createStorage(config),
    newId: (prefix, at = clock()) => newId(prefix, at.getTime()),
    publicUrl: () => config.publicUrl ?? listening(),
    mqttUrl: mqttUrl ?? (() => undefined),
  };
}
