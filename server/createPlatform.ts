import { LogBatch } from './api/logs/batch.ts';
import type { Slice } from './api/slice.ts';
import { type ProxyLimits, proxyLimits } from './apps/proxyRoutes/forward/proxyLimits.ts';
import { createLocalBus } from './infra/bus/bus.ts';
import { NatsBus } from './infra/bus/nats.ts';
import { RecentChanges } from './infra/bus/recentChanges.ts';
import { newId } from './infra/ids.ts';
import { privateTargets } from './infra/outside/addresses.ts';
import { createOutside } from './infra/outside/fetchOutside.ts';
import type { Resolve } from './infra/outside/resolve.ts';
import { PromisedTurns } from './infra/pace/promisedTurns.ts';
import type { Platform } from './infra/platform.ts';
import { createSampleProject } from './projects/sample/createSampleProject.ts';
import { Traffic } from './projects/stats/traffic.ts';

/** Log entries are gathered this long: writing a few together costs no more than writing one. */
const logGatherMs = 100;

interface Made extends Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'sealing' | 'storage'> {
  /** The address the server listens on; empty before it listens. */
  listening: () => string;
  mqttUrl?: () => string | undefined;
  isHeard?: Platform['isHeard'];
  resolve?: Resolve | undefined;
  proxyLimits?: Partial<ProxyLimits> | undefined;
  /** Called at a sign-up, so that the command line starts without loading all slices. */
  slices: () => readonly Slice[] | Promise<readonly Slice[]>;
}

/** Creates the parts that the server and the command line share. */
export function createPlatform(made: Made): Platform {
  const { config, db, clock, log, sealing, storage, listening, mqttUrl, isHeard, resolve, slices } = made;
  const makeId: Platform['newId'] = (prefix, at = clock()) => newId(prefix, at.getTime());
  const bus = config.natsUrl === undefined ? createLocalBus(log) : new NatsBus(config.natsUrl, log);
  return {
    config,
    db,
    clock,
    log,
    bus,
    recentChanges: new RecentChanges(bus),
    traffic: new Traffic({ db, clock, log }),
    sealing,
    outside: createOutside({
      allowed: privateTargets(config.allowPrivateTargets),
      own: () => [config.publicUrl ?? '', listening()].filter(origin => origin !== ''),
      resolve,
    }),
    storage,
    proxyLimits: { ...proxyLimits, ...made.proxyLimits },
    promisedTurns: new PromisedTurns(),
    newId: makeId,
    publicUrl: () => config.publicUrl ?? listening(),
    mqttUrl: mqttUrl ?? (() => undefined),
    isHeard: isHeard ?? (() => false),
    welcome: async (db, developer) => {
      if (!config.sampleProject) return;
      await createSampleProject(db, { newId: makeId, clock, sealing }, developer, await slices());
    },
    forgetUser: async (db, user) => {
      for (const { forgetsUser } of await slices()) await forgetsUser?.(db, user);
    },
    systemLog: new LogBatch(db, { newId: makeId, log }, { gatherMs: logGatherMs }),
  };
}
