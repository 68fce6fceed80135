import type { RolloutReport, readRolloutReport } from '#contract/rolloutReport.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { gatesOf } from './gates.ts';
import type { RolloutRecord } from './store.ts';

const pointsMax = 200;
const eventsMax = 200;
const causesMax = 50;

export async function reportOf({ db, row, now }: Call<typeof readRolloutReport>): Promise<RolloutReport> {
  return {
    ...(await gatesOf(db, row, now)),
    causes: await causesOf(db, row),
    progress: await progressOf(db, row),
    events: await eventsOf(db, row),
  };
}

/** Failures grouped by code, each with its most frequent error text. */
export function causesOf(
  db: Db,
  { projectId, id }: RolloutRecord,
  limit = causesMax,
): Promise<RolloutReport['causes']> {
  return db
    .many<Omit<RolloutReport['causes'][number], 'error'> & { error: string | null }>(sql`
      select coalesce(code, outcome) as code, coalesce(failure, 'final') as failure,
        mode() within group (order by error) as error, count(*)::int as devices,
        bool_or(outcome = 'failed' and failure in ('integrity', 'final')) as counts
      from rollout_devices
      where project_id = ${projectId} and rollout_id = ${id} and outcome in ('failed', 'unable', 'declined')
      group by 1, 2 order by devices desc, code limit ${limit}`)
    .then(rows => rows.map(({ error, ...cause }) => ({ ...cause, ...(error !== null && { error }) })));
}

/** Thins out the samples evenly, always keeping the last one. */
async function progressOf(db: Db, { projectId, id }: RolloutRecord): Promise<RolloutReport['progress']> {
  const rows = await db.many<Omit<RolloutReport['progress'][number], 'at'> & { at: Date }>(sql`
    select at, admitted, updated, active, failed from (
      select *, row_number() over (order by at desc) - 1 as n, count(*) over () as of from rollout_progress
      where project_id = ${projectId} and rollout_id = ${id}) samples
    where n % ceil(of / ${pointsMax}::float8)::bigint = 0 order by at`);
  return rows.map(row => ({ ...row, at: row.at.toISOString() }));
}

interface EventRow {
  at: Date;
  kind: string;
  text: string;
  actorId: string | null;
  actorName: string;
}

async function eventsOf(db: Db, { projectId, id }: RolloutRecord): Promise<RolloutReport['events']> {
  const rows = await db.many<EventRow>(sql`
    select at, kind, text, actor_id as "actorId", actor_name as "actorName" from rollout_events
    where project_id = ${projectId} and rollout_id = ${id} order by at desc, kind = 'created', id desc limit ${eventsMax}`);
  return rows.map(({ at, kind, text, actorId, actorName }) => ({
    at: at.toISOString(),
    kind,
    text,
    ...(actorId !== null && { actor: { id: actorId, name: actorName } }),
  }));
}
