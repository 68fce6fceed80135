import type { Finding } from '#contract/fleet.ts';
import { type Db, sql } from '#server/db/sql.ts';

const dayMs = 24 * 3_600_000;
/** Fleets are not punctual. */
const aroundMs = 30 * 60_000;
/** Fewer than so many say nothing of a fleet. */
const missingMin = 10;
/** Below this share of what is usual, a fleet needs attention. */
const usualShare = 0.8;

interface Row {
  connected: number;
  usual: number;
  /** Undefined in the first day on record: then it is the most that were connected. */
  isOfThisHour: boolean | null;
  lastUsual: Date;
}

/**
 * Many devices that are gone at once. What is usual is what was connected at this time of day, yesterday or a week ago,
 * whichever is less: fleets that sleep at night or at the weekend are well.
 */
export async function offlineFinding(db: Db, projectId: string, now: Date): Promise<Finding | undefined> {
  const ago = (days: number, plusMs: number) => new Date(now.getTime() - days * dayMs + plusMs);
  const row = await db.one<Row>(sql`
    with history as materialized (
      select at, connected::float8 as connected, at < ${ago(1, aroundMs)} as is_of_this_hour from connected_history
      where project_id = ${projectId} and device_class = ''
        and (at > ${ago(1, -aroundMs)} or at > ${ago(7, -aroundMs)} and at < ${ago(7, aroundMs)})),
    usual as (
      select coalesce(min(connected) filter (where is_of_this_hour), max(connected)) as connected,
        bool_or(is_of_this_hour) as is_of_this_hour from history),
    present as (
      select coalesce(sum(connected), 0)::float8 as connected from device_counts where project_id = ${projectId})
    select present.connected, usual.connected as usual, usual.is_of_this_hour as "isOfThisHour",
      (select max(at) from history where history.connected >= usual.connected * ${usualShare}) as "lastUsual"
    from present cross join usual
    where usual.connected - present.connected >= ${missingMin}
      and present.connected < usual.connected * ${usualShare}`);
  if (!row) return undefined;
  return {
    ...{ signal: 'offline', count: row.usual - row.connected, at: row.lastUsual.toISOString() },
    ...{ devices: [], causes: [{ text: sentence(row), count: 1 }] },
  };
}

function sentence({ connected, usual, isOfThisHour }: Row): string {
  const [are, were] = [connected, usual].map(count => count.toLocaleString('en'));
  return `${are} connected now, ${isOfThisHour ? `usually at least ${were} at this time of day` : `up to ${were} before`}`;
}
