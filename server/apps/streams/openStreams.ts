import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** How often a process reports its open streams, and how long a report is valid. */
export const saying = { everyMs: 15_000, forMs: 45_000 };

/** The open streams of one process: their number per app, by project and app. */
class OpenStreams {
  readonly process: string;
  readonly counts = new Map<string, number>();

  constructor({ newId }: Platform) {
    this.process = newId('prc');
  }

  add(key: string, by: 1 | -1): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + by);
  }
}

const ofPlatform = new WeakMap<Platform['bus'], OpenStreams>();

/** By bus, because the gateway has its own platform over the same bus. */
export function openStreamsHere(platform: Platform): OpenStreams {
  const known = ofPlatform.get(platform.bus);
  if (known) return known;
  const made = new OpenStreams(platform);
  ofPlatform.set(platform.bus, made);
  return made;
}

export const openStreamsKey = (projectId: string, appId: string) => `${projectId} ${appId}`;

/** The number of open event streams of an app: the current number here, plus the last reports of other processes. */
export async function openStreamsOf(platform: Platform, projectId: string, appId: string): Promise<number> {
  const here = openStreamsHere(platform);
  const since = new Date(platform.clock().getTime() - saying.forMs);
  const elsewhere = await platform.db.one<{ count: number }>(sql`
    select coalesce(sum(count), 0)::int as count from open_streams
    where project_id = ${projectId} and app_id = ${appId} and process <> ${here.process} and seen_at > ${since}`);
  return (here.counts.get(openStreamsKey(projectId, appId)) ?? 0) + (elsewhere?.count ?? 0);
}

/** Reports the streams that are open here; an app without open streams is reported once more, as 0. */
export async function sayOpenStreams(platform: Platform): Promise<void> {
  const { process, counts } = openStreamsHere(platform);
  const rows = [...counts].map(([key, count]) => [...key.split(' '), count] as [string, string, number]);
  if (rows.length === 0) return;
  await platform.db.run(sql`
    insert into open_streams (project_id, app_id, process, count, seen_at)
    select project_id, app_id, ${process}, count, ${platform.clock()} from unnest(
      ${rows.map(([projectId]) => projectId)}::text[], ${rows.map(([, appId]) => appId)}::text[],
      ${rows.map(([, , count]) => count)}::int[]) as said (project_id, app_id, count)
    on conflict (project_id, app_id, process) do update set count = excluded.count, seen_at = excluded.seen_at`);
  // A count that dropped to 0 meanwhile has not been reported yet.
  for (const [projectId, appId, count] of rows) {
    const key = openStreamsKey(projectId, appId);
    if (count === 0 && counts.get(key) === 0) counts.delete(key);
  }
}
