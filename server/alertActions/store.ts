import { type AlertAction, type AlertBy, alertCountMax } from '#contract/alert.ts';
import { type AlertFilter, matching } from '#server/alerts/listAlerts.ts';
import { type Database, type Db, empty, sql } from '#server/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/jobs/housekeeping.ts';

/** Days for which the record of an action is kept. */
const keptDays = 30;

export const stateOf = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'open' } as const;

/** The requested action, and who requested it. */
interface Asked extends Pick<AlertAction, 'note' | 'ids' | 'matching'> {
  by: AlertBy;
}

export interface ActionRow {
  id: string;
  projectId: string;
  action: AlertAction['action'];
  asked: Asked;
  state: AlertAction['state'];
  total: string;
  done: string;
  cursor: string;
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const columns = sql`
  a.id, a.project_id as "projectId", a.action, a.asked, a.state, a.total, a.done, a.cursor, a.error,
  a.created_at as "createdAt", a.finished_at as "finishedAt"`;

export function toAction({ id, action, asked, state, total, done, error, ...row }: ActionRow): AlertAction {
  const { by: _, ...given } = asked;
  return {
    ...{ id, action, ...given, state, total: Number(total), done: Number(done) },
    ...(error !== null && { error }),
    createdAt: row.createdAt.toISOString(),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
  };
}

export async function insertAction(
  db: Db,
  given: Pick<ActionRow, 'id' | 'projectId' | 'action' | 'asked'> & {
    state: 'running' | 'done';
    total: number;
    now: Date;
  },
): Promise<ActionRow> {
  const { id, projectId, action, asked, state, total, now } = given;
  const isDone = state === 'done';
  const row = await db.one<ActionRow>(sql`
    insert into alert_actions as a (project_id, id, action, asked, state, total, done, created_at, finished_at)
    values (${projectId}, ${id}, ${action}, ${JSON.stringify(asked)}, ${state}, ${total}, ${isDone ? total : 0},
      ${now}, ${isDone ? now : null})
    returning ${columns}`);
  if (!row) throw new Error('The action was not stored.');
  return row;
}

/** With `lock`, only the holder of the row lock can take the next step. */
export function findAction(
  db: Db,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<ActionRow | undefined> {
  return db.one<ActionRow>(sql`
    select ${columns} from alert_actions a join projects p on p.id = a.project_id and p.deleted_at is null
    where a.project_id = ${projectId} and a.id = ${id} ${lock ? sql`for no key update of a` : empty}`);
}

export async function stepAction(
  db: Db,
  { projectId, id }: ActionRow,
  { cursor, done, isLast, now }: { cursor: string; done: number; isLast: boolean; now: Date },
): Promise<void> {
  await db.run(sql`
    update alert_actions set cursor = ${cursor}, done = done + ${done}, total = greatest(total, done + ${done}),
      state = ${isLast ? 'done' : 'running'}, finished_at = ${isLast ? now : null}
    where project_id = ${projectId} and id = ${id}`);
}

export async function failAction(
  db: Db,
  { projectId, id }: Pick<ActionRow, 'projectId' | 'id'>,
  error: string,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update alert_actions set state = 'failed', error = ${error}, finished_at = ${now}
    where project_id = ${projectId} and id = ${id} and state = 'running'`);
}

type Filter = AlertFilter & { search?: string | undefined };

export async function countAlerts(db: Db, filter: Filter): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from alerts a where ${matching(filter)} limit ${alertCountMax}) a`);
  return row?.count ?? 0;
}

/** The next matching alerts by id. Those raised after the request are not included. */
export async function nextAlerts(
  db: Database,
  filter: Filter,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<string[]> {
  const rows = await db.search<{ id: string }>(sql`
    select a.id from alerts a where ${matching(filter)} and a.id > ${after} and a.ts <= ${before}
    order by a.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export const alertActionChore: Chore = {
  name: 'alert actions',
  deletes: now => sql`
    delete from alert_actions where (project_id, id) in (
      select project_id, id from alert_actions where created_at < ${daysBefore(now, keptDays)} limit ${batch})
    returning 1`,
};
