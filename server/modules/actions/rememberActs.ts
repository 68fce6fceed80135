import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Action } from './actions.ts';

/** Identifies an action of a run, by its position. */
export interface ActKey {
  projectId: string;
  runId: string;
  number: number;
}

/** An action that a run has carried out. */
export interface Act extends ActKey {
  moduleId: string;
  kind: Action['kind'];
  summary: string;
  at: Date;
  isTest?: boolean | undefined;
}

export const actKeyOf = ({ runId, number }: ActKey) => `${runId} ${number}`;

/** The results of those actions that were carried out before, by `actKeyOf`. */
export async function doneBefore(db: Db, keys: readonly ActKey[]): Promise<Map<string, string>> {
  const rows = await db.many<ActKey & { summary: string }>(sql`
    select a.project_id as "projectId", a.run_id as "runId", a.number::int, a.summary
    from unnest(${keys.map(key => key.projectId)}::text[], ${keys.map(key => key.runId)}::text[],
      ${keys.map(key => key.number)}::smallint[]) as k (project_id, run_id, number)
    join module_acts a on a.project_id = k.project_id and a.run_id = k.run_id and a.number = k.number`);
  return new Map(rows.map(row => [actKeyOf(row), `${row.summary} (done before)`]));
}

export async function rememberActs(db: Db, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  await db.run(sql`
    insert into module_acts (project_id, module_id, run_id, number, kind, summary, at, is_test)
    select * from unnest(
      ${acts.map(one => one.projectId)}::text[], ${acts.map(one => one.moduleId)}::text[],
      ${acts.map(one => one.runId)}::text[], ${acts.map(one => one.number)}::smallint[],
      ${acts.map(one => one.kind)}::text[], ${acts.map(one => one.summary)}::text[], ${acts.map(one => one.at)}::timestamptz[],
      ${acts.map(one => one.isTest ?? false)}::boolean[])
    on conflict do nothing`);
}

/** Notes when an act that was postponed took place. */
export async function moveAct(
  db: Db,
  { projectId, runId, number }: ActKey,
  { summary, at }: Pick<Act, 'summary' | 'at'>,
): Promise<void> {
  await db.run(sql`
    update module_acts set summary = ${summary}, at = ${at}
    where project_id = ${projectId} and run_id = ${runId} and number = ${number}`);
}
