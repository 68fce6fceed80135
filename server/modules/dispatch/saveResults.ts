import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { Platform } from '#server/infra/platform.ts';
import { discardWaiting } from '#server/modules/runs/discardWaiting.ts';
import { type EndedAttempt, endRuns, recordHealth } from '#server/modules/runs/endRuns.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { notifyTeam } from '#server/modules/smartModules/notifyTeam.ts';
import { findModule, openModule, setSuspended } from '#server/modules/smartModules/store.ts';
import { failedTooLong, parkModule } from './parkModule.ts';

export interface Ended extends EndedAttempt {
  type: ModuleType;
  /** The reason for which the module is suspended, if it is. */
  suspend: string | undefined;
}

/** Stores the results of attempts of many modules, with their effects on the modules, in one transaction. */
export async function saveResults(platform: Platform, ended: readonly Ended[]): Promise<void> {
  const now = platform.clock();
  await platform.db.tx(async db => {
    const stored = await endRuns(db, ended, now);
    const failing = await recordHealth(
      db,
      ended.filter(({ id }) => stored.has(id)),
      now,
    );
    for (const { projectId, moduleId, failingSince } of failing)
      if (now.getTime() - failingSince.getTime() >= parkAfter.hours * hourMs)
        await parkModule(db, platform, { projectId, id: moduleId, because: failedTooLong });
    for (const { projectId, moduleId, suspend, type } of ended) {
      if (suspend === undefined) continue;
      const module = { projectId, id: moduleId };
      if ((await setSuspended(db, module, { suspended: true, because: suspend, now })) === 0) continue;
      await discardWaiting(db, projectId, moduleId, now);
      await notifyTeam(db, platform, { ...module, because: suspend, what: 'suspended' });
      const row = await findModule(db, projectId, moduleId);
      if (row) await type.changed?.(db, openModule(platform, row), platform);
    }
  });
}
