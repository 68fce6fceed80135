import { dayMinutes, minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export interface ModuleKey {
  projectId: string;
  id: string;
}

export interface Rest extends ModuleKey {
  strikes: number;
  until: Date;
  because: string;
}

export const keyOf = ({ projectId, id }: ModuleKey) => `${projectId} ${id}`;

/** A module without a strike for this long has none. */
const forgottenAfterHours = 24;
const restMinutes = [10, 60, dayMinutes] as const;

const restMinutesAfter = (strikes: number): number =>
  restMinutes[Math.min(strikes, restMinutes.length) - 1] ?? restMinutes[0];

/** The rests of these modules that are not forgotten, by `keyOf`; those that are over as well. */
export async function restsOf(db: Db, modules: readonly ModuleKey[], now: Date): Promise<Map<string, Rest>> {
  if (modules.length === 0) return new Map();
  const rows = await db.many<Rest>(sql`
    select r.project_id as "projectId", r.module_id as id, r.strikes, r.until, r.because
    from unnest(${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.id)}::text[]) as m (project_id, id)
    join module_rests r on r.project_id = m.project_id and r.module_id = m.id
    where r.at > ${now}::timestamptz - make_interval(hours => ${forgottenAfterHours})`);
  return new Map(rows.map(rest => [keyOf(rest), rest]));
}

/** Counts a strike, and lets the module rest. Undefined if it no longer exists. */
export function addStrike(
  db: Db,
  { projectId, id }: ModuleKey,
  { because, now }: { because: string; now: Date },
): Promise<Rest | undefined> {
  const until = (strikes: number) => new Date(now.getTime() + restMinutesAfter(strikes) * minuteMs);
  return db.one<Rest>(sql`
    insert into module_rests as r (project_id, module_id, strikes, until, because, at)
    select project_id, id, 1, ${until(1)}::timestamptz, ${because}, ${now} from smart_modules
    where project_id = ${projectId} and id = ${id}
    on conflict (project_id, module_id) do update set
      strikes = case when r.at > ${now}::timestamptz - make_interval(hours => ${forgottenAfterHours})
        then least(r.strikes + 1, 100) else 1 end,
      until = case when r.at <= ${now}::timestamptz - make_interval(hours => ${forgottenAfterHours}) then ${until(1)}::timestamptz
        when r.strikes = 1 then ${until(2)}::timestamptz else ${until(3)}::timestamptz end,
      because = excluded.because, at = excluded.at
    returning project_id as "projectId", module_id as id, strikes, until, because`);
}

/** Takes back a strike that was counted before the evaluation it was for; the earlier ones stay. */
export async function takeStrikeBack(db: Db, { projectId, id }: ModuleKey, now: Date): Promise<void> {
  await db.run(sql`
    update module_rests set strikes = strikes - 1, until = ${now} where project_id = ${projectId} and module_id = ${id}`);
  await db.run(sql`
    delete from module_rests where project_id = ${projectId} and module_id = ${id} and strikes <= 0`);
}

/** Says why a module got the strike that was already counted. */
export function explainStrike(
  db: Db,
  { projectId, id }: ModuleKey,
  because: string,
): Promise<Rest | undefined> {
  return db.one<Rest>(sql`
    update module_rests set because = ${because} where project_id = ${projectId} and module_id = ${id}
    returning project_id as "projectId", module_id as id, strikes, until, because`);
}
