import { endingAlerts } from '#server/devices/alerts/endingAlerts.ts';
import { reportAlerts } from '#server/devices/alerts/reportAlerts.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The devices whose alerts are resolved in one transaction. */
const devicesMax = 500;

interface Ending {
  projectId: string;
  moduleId: string;
  deviceIds: readonly string[];
  /** What is said about the alerts. */
  text: string;
  at: Date;
}

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    endRuleAlerts: Omit<Ending, 'at'> & { at: string };
  }
}

/**
 * Resolves the alerts of these devices that would have ended with the condition of a rule. A whole fleet can have them:
 * beyond some hundreds, jobs resolve them, so that neither the caller nor anyone else waits for one long transaction.
 */
export async function endAlerts(
  db: Db,
  platform: Pick<Platform, 'newId' | 'bus'>,
  ending: Ending,
): Promise<void> {
  const { deviceIds, moduleId } = ending;
  if (deviceIds.length <= devicesMax) return endNow(db, platform, ending);
  for (let from = 0; from < deviceIds.length; from += devicesMax) {
    const some = { ...ending, deviceIds: deviceIds.slice(from, from + devicesMax) };
    await enqueue(
      db,
      'endRuleAlerts',
      { ...some, at: ending.at.toISOString() },
      { queue: `alerts of ${moduleId}` },
    );
  }
}

export function endAlertsJob(platform: Platform): Task<'endRuleAlerts'> {
  return ({ at, ...ending }) => platform.db.tx(db => endNow(db, platform, { ...ending, at: new Date(at) }));
}

/** Alerts that were reported later are left alone: the rule was resumed meanwhile. */
async function endNow(db: Db, platform: Pick<Platform, 'newId' | 'bus'>, ending: Ending): Promise<void> {
  const { projectId, moduleId, deviceIds, text, at: ts } = ending;
  const asked = deviceIds.map(deviceId => ({ projectId, moduleId, deviceId }));
  const source = { kind: 'module', moduleId, runId: '' } as const;
  await reportAlerts(
    db,
    platform,
    (await endingAlerts(db, asked, ts)).map(({ deviceId, key }) => ({
      projectId,
      deviceId,
      key,
      source,
      ts,
      resolved: true,
      text,
    })),
  );
}
