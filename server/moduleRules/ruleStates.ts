import { type Db, sql } from '#server/db/sql.ts';
import type { Elapsed } from '#server/smartModules/moduleType.ts';

/** What a rule remembers of a device. */
export interface RuleState {
  projectId: string;
  moduleId: string;
  deviceId: string;
  key: string;
  holds: boolean;
  since: Date | null;
  acted: boolean;
  eventId: string | null;
  eventName: string | null;
  causedBy: readonly string[];
  dueAt: Date | null;
}

type Place = Pick<RuleState, 'projectId' | 'moduleId' | 'deviceId'>;

export const placeOf = ({ projectId, moduleId, deviceId }: Place) => `${projectId} ${moduleId} ${deviceId}`;

export async function statesOf(db: Db, places: readonly Place[]): Promise<Map<string, RuleState>> {
  const rows = await db.many<RuleState>(sql`
    select s.project_id as "projectId", s.module_id as "moduleId", s.device_id as "deviceId", s.condition_key as key,
      s.holds, s.since, s.acted, s.event_id as "eventId", s.event_name as "eventName", s.caused_by as "causedBy",
      s.due_at as "dueAt"
    from unnest(${places.map(p => p.projectId)}::text[], ${places.map(p => p.moduleId)}::text[],
      ${places.map(p => p.deviceId)}::text[]) as p (project_id, module_id, device_id)
    join rule_states s on s.project_id = p.project_id and s.module_id = p.module_id and s.device_id = p.device_id
    order by s.project_id, s.module_id, s.device_id for no key update of s`);
  return new Map(rows.map(row => [placeOf(row), row]));
}

/** The places of these devices where a condition holds. */
export function holdingFor(
  db: Db,
  projectIds: readonly string[],
  deviceIds: readonly string[],
): Promise<Place[]> {
  return db.many<Place>(sql`
    select project_id as "projectId", module_id as "moduleId", device_id as "deviceId" from rule_states
    where project_id = any(${projectIds}) and device_id = any(${deviceIds}) and holds`);
}

/** Modules and devices that have gone in the meantime are left out. */
export async function saveStates(db: Db, states: readonly RuleState[]): Promise<void> {
  if (states.length === 0) return;
  const sorted = states.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const column = (value: (state: RuleState) => unknown) => sorted.map(value);
  await db.run(sql`
    insert into rule_states as s (project_id, module_id, device_id, condition_key, holds, since, acted, event_id,
      event_name, caused_by, due_at)
    select n.project_id, n.module_id, n.device_id, n.key, n.holds, n.since, n.acted, n.event_id, n.event_name,
      array(select json_array_elements_text(n.caused_by::json)), n.due_at
    from unnest(
      ${column(s => s.projectId)}::text[], ${column(s => s.moduleId)}::text[], ${column(s => s.deviceId)}::text[],
      ${column(s => s.key)}::text[], ${column(s => s.holds)}::boolean[], ${column(s => s.since)}::timestamptz[],
      ${column(s => s.acted)}::boolean[], ${column(s => s.eventId)}::text[], ${column(s => s.eventName)}::text[],
      ${column(s => JSON.stringify(s.causedBy))}::text[], ${column(s => s.dueAt)}::timestamptz[]
    ) as n (project_id, module_id, device_id, key, holds, since, acted, event_id, event_name, caused_by, due_at)
    join smart_modules m on m.project_id = n.project_id and m.id = n.module_id
    join devices d on d.project_id = n.project_id and d.id = n.device_id
    on conflict (project_id, module_id, device_id) do update set condition_key = excluded.condition_key,
      holds = excluded.holds, since = excluded.since, acted = excluded.acted, event_id = excluded.event_id,
      event_name = excluded.event_name, caused_by = excluded.caused_by, due_at = excluded.due_at`);
}

/** Takes the conditions that have held for long enough. */
export async function takeElapsed(db: Db, { now, limit }: { now: Date; limit: number }): Promise<Elapsed[]> {
  const rows = await db.many<
    Place & { dueAt: Date; id: string; name: string; ts: Date; causedBy: string[] }
  >(sql`
    with due as (
      select s.project_id, s.module_id, s.device_id, s.due_at from rule_states s
      join smart_modules m on m.project_id = s.project_id and m.id = s.module_id and not m.suspended
      where s.due_at <= ${now} order by s.due_at limit ${limit} for update of s skip locked)
    update rule_states s set due_at = null, acted = true from due
    where s.project_id = due.project_id and s.module_id = due.module_id and s.device_id = due.device_id
    returning s.project_id as "projectId", s.module_id as "moduleId", s.device_id as "deviceId", due.due_at as "dueAt",
      s.event_id as id, s.event_name as name, s.since as ts, s.caused_by as "causedBy"`);
  return rows
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    .map(({ id, name, ts, ...row }) => ({ ...row, event: { id, name, ts } }));
}

/** What a rule remembers under another condition, or everything. */
export async function forgetStates(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  but: string | undefined,
): Promise<void> {
  await db.run(sql`
    delete from rule_states where project_id = ${projectId} and module_id = ${id}
      and (${but ?? null}::text is null or condition_key <> ${but ?? null})`);
}

/** True if the rule may act for the device: no other run did so within the time. The same run may do so again. */
export async function claimActing(
  db: Db,
  place: Place,
  { key, runId, at, everyS }: { key: string; runId: string; at: Date; everyS: number },
): Promise<boolean> {
  const { projectId, moduleId, deviceId } = place;
  const [from, until] = [-1, 1].map(way => new Date(at.getTime() + way * everyS * 1000));
  const row = await db.one(sql`
    insert into rule_states as s (project_id, module_id, device_id, condition_key, acted_at, acted_run)
    values (${projectId}, ${moduleId}, ${deviceId}, ${key}, ${at}, ${runId})
    on conflict (project_id, module_id, device_id) do update set acted_at = ${at}, acted_run = ${runId}
      where s.acted_at is null or s.acted_run = ${runId} or s.acted_at <= ${from} or s.acted_at >= ${until}
    returning 1`);
  return row !== undefined;
}

export async function addFalls(
  db: Db,
  falls: readonly { projectId: string; moduleId: string; eventId: string; at: Date }[],
): Promise<void> {
  if (falls.length === 0) return;
  await db.run(sql`
    insert into rule_falls (project_id, module_id, event_id, at)
    select f.* from unnest(${falls.map(f => f.projectId)}::text[], ${falls.map(f => f.moduleId)}::text[],
      ${falls.map(f => f.eventId)}::text[], ${falls.map(f => f.at)}::timestamptz[]) as f (project_id, module_id, event_id, at)
    join smart_modules m on m.project_id = f.project_id and m.id = f.module_id
    on conflict do nothing`);
}

export async function isFall(db: Db, projectId: string, moduleId: string, eventId: string): Promise<boolean> {
  const row = await db.one(sql`
    select 1 from rule_falls where project_id = ${projectId} and module_id = ${moduleId} and event_id = ${eventId}`);
  return row !== undefined;
}
