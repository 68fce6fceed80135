import type { Finding } from '#contract/finding.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { criticalFindings } from './alertFindings.ts';
import { lossFinding } from './lossFinding.ts';
import { neverFinding } from './neverFinding.ts';
import { offlineFindings } from './offlineFindings.ts';
import { quietFinding } from './quietFinding.ts';
import { lesserAlerts, recentFinding } from './recentFindings.ts';
import { rolloutFindings } from './rolloutFindings.ts';

/**
 * What needs attention, the most urgent first. Each statement reads as many rows as it counts at most, by an index, so
 * the cost does not depend on the size of the fleet.
 */
export async function findingsOf(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const recent = (signal: Parameters<typeof recentFinding>[2]) => recentFinding(db, projectId, signal);
  const [[gone, quiet], critical, rollouts, ...others] = await Promise.all([
    silent(db, projectId, now),
    criticalFindings(db, projectId),
    rolloutFindings(db, projectId, now),
    recent('updateFailed'),
    recent('commandFailed'),
    recent('flapping'),
    lesserAlerts(db, projectId),
    recent('quarantine'),
    neverFinding(db, projectId),
  ]);
  const [updates, commands, flapping, ...smaller] = others;
  const all = [...gone, ...critical, ...rollouts, updates, commands, flapping, quiet, ...smaller];
  return all.filter(one => one !== undefined);
}

/** What is gone, and which devices are quiet besides. */
async function silent(
  db: Db,
  projectId: string,
  now: Date,
): Promise<[gone: Finding[], quiet: Finding | undefined]> {
  const gone = await goneFindings(db, projectId, now);
  const since = gone.map(finding => Date.parse(finding.since));
  return [
    gone,
    await quietFinding(db, projectId, since.length > 0 ? new Date(Math.min(...since)) : undefined),
  ];
}

/** A loss that was found by its time is not repeated as a low number of devices. */
async function goneFindings(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const [lost, offline] = await Promise.all([
    lossFinding(db, projectId, now),
    offlineFindings(db, projectId, now),
  ]);
  if (!lost) return offline;
  return [lost, ...offline.filter(({ count }) => count > 2 * lost.count)];
}
