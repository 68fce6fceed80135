import { retentionDays } from '#rules/time/retention.ts';
import { type Db, empty, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from './housekeeping.ts';

/** A bulk action as stored: what was requested for which rows, and its progress. */
export interface BulkAction<Action extends string, Asked extends object> {
  id: string;
  projectId: string;
  action: Action;
  asked: Asked;
  state: 'running' | 'done' | 'failed';
  total: string;
  done: string;
  /** The last id that was processed. */
  cursor: string;
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const columns = sql`
  a.id, a.project_id as "projectId", a.action, a.asked, a.state, a.total, a.done, a.cursor, a.error,
  a.created_at as "createdAt", a.finished_at as "finishedAt"`;

/** The bulk actions of a noun, in a table of its slice. */
export class BulkActions<Action extends string, Asked extends object> {
  readonly #name: string;
  readonly #table: Sql;

  constructor(table: string) {
    this.#name = table.replace('_', ' ');
    this.#table = raw(table);
  }

  async insert(
    db: Db,
    given: Pick<BulkAction<Action, Asked>, 'id' | 'projectId' | 'action' | 'asked'> & {
      state: 'running' | 'done';
      total: number;
      now: Date;
    },
  ): Promise<BulkAction<Action, Asked>> {
    const { id, projectId, action, asked, state, total, now } = given;
    const isDone = state === 'done';
    const row = await db.one<BulkAction<Action, Asked>>(sql`
      insert into ${this.#table} as a (project_id, id, action, asked, state, total, done, created_at, finished_at)
      values (${projectId}, ${id}, ${action}, ${JSON.stringify(asked)}, ${state}, ${total}, ${isDone ? total : 0},
        ${now}, ${isDone ? now : null})
      returning ${columns}`);
    if (!row) throw new Error('The action was not stored.');
    return row;
  }

  /** With `lock`, only the holder of the row lock can take the next step. */
  find(
    db: Db,
    projectId: string,
    id: string,
    { lock = false } = {},
  ): Promise<BulkAction<Action, Asked> | undefined> {
    return db.one<BulkAction<Action, Asked>>(sql`
      select ${columns} from ${this.#table} a join projects p on p.id = a.project_id and p.deleted_at is null
      where a.project_id = ${projectId} and a.id = ${id} ${lock ? sql`for no key update of a` : empty}`);
  }

  async step(
    db: Db,
    { projectId, id }: BulkAction<Action, Asked>,
    { cursor, done, isLast, now }: { cursor: string; done: number; isLast: boolean; now: Date },
  ): Promise<void> {
    await db.run(sql`
      update ${this.#table} set cursor = ${cursor}, done = done + ${done}, total = greatest(total, done + ${done}),
        state = ${isLast ? 'done' : 'running'}, finished_at = ${isLast ? now : null}
      where project_id = ${projectId} and id = ${id}`);
  }

  async fail(
    db: Db,
    { projectId, id }: Pick<BulkAction<Action, Asked>, 'projectId' | 'id'>,
    error: string,
    now: Date,
  ): Promise<void> {
    await db.run(sql`
      update ${this.#table} set state = 'failed', error = ${error}, finished_at = ${now}
      where project_id = ${projectId} and id = ${id} and state = 'running'`);
  }

  get chore(): Chore {
    return {
      name: this.#name,
      deletes: now => sql`
        delete from ${this.#table} where (project_id, id) in (
          select project_id, id from ${this.#table} where created_at < ${daysBefore(now, retentionDays.bulkActions)} limit ${batch})
        returning 1`,
    };
  }
}

/** The progress of an action in the form of an answer; the caller adds what was requested. */
export function progressOf({ id, state, total, done, error, ...row }: BulkAction<string, object>) {
  return {
    id,
    state,
    total: Number(total),
    done: Number(done),
    ...(error !== null && { error }),
    createdAt: row.createdAt.toISOString(),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
  };
}
