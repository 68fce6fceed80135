import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Elapsed, ReadUntil } from '#server/modules/smartModules/moduleType.ts';

/** The state of a rule for a device. */
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

/** The places of these devices whose condition holds. */
export function holdingFor(
  db: Db,
  projectIds: readonly string[],
  deviceIds: readonly string[],
): Promise<Place[]> {
  return db.many<Place>(sql`
    select project_id as "projectId", module_id as "moduleId", device_id as "deviceId" from rule_states
    where project_id = any(${projectIds}) and device_id = any(${deviceIds}) and holds`);
}

/** Ignores modules and devices that were deleted meanwhile. */
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

/** Takes the states whose conditions have held for long enough, by the events that were read. */
export async function takeElapsed(
  db: Db,
  { read: { shard, until, late }, limit }: { read: ReadUntil; limit: number },
): Promise<Elapsed[]> {
  const rows = await db.many<
    Place & { dueAt: Date; id: string; name: string; ts: Date; causedBy: string[] }
  >(sql`
    with due as (
      select s.project_id, s.module_id, s.device_id, s.due_at from rule_states s
      join smart_modules m on m.project_id = s.project_id and m.id = s.module_id and not m.suspended
      where s.due_at <= ${until} and module_shard(s.project_id) = ${shard} and not exists (
        select from unnest(${late.map(([id]) => id)}::text[], ${late.map(([, at]) => at)}::timestamptz[]) as l (id, until)
        where l.id = s.project_id and s.due_at > l.until)
      order by s.due_at limit ${limit} for update of s skip locked)
    update rule_states s set due_at = null, acted = true from due
    where s.project_id = due.project_id and s.module_id = due.module_id and s.device_id = due.device_id
    returning s.project_id as "projectId", s.module_id as "moduleId", s.device_id as "deviceId", due.due_at as "dueAt",
      s.event_id as id, s.event_name as name, s.since as ts, s.caused_by as "causedBy"`);
  return rows
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    .map(({ id, name, ts, ...row }) => ({ ...row, event: { id, name, ts } }));
}

/**
 * Deletes the states that a changed rule no longer keeps: of another condition, of devices of other classes, and of
 * conditions that began with an event it no longer receives. Returns the devices for which it had acted.
 */
export function forgetStates(
  db: Db,
  { projectId, id, key, classes, names }: RuleKept,
): Promise<{ deviceId: string }[]> {
  return db.many<{ deviceId: string }>(sql`
    with gone as (
      delete from rule_states s using devices d
      where s.project_id = ${projectId} and s.module_id = ${id}
        and d.project_id = s.project_id and d.id = s.device_id
        and (s.condition_key <> ${key}
          or ${classes.length > 0} and d.device_class <> all(${classes})
          or ${!names.includes('*')} and s.holds and lower(s.event_name) <> all(${names.map(n => n.toLowerCase())}))
      returning s.device_id, s.holds and s.acted as acted)
    select device_id as "deviceId" from gone where acted`);
}

/** What remains of the states of a rule: those of its condition, classes and events. */
export interface RuleKept {
  projectId: string;
  id: string;
  key: string;
  classes: readonly string[];
  names: readonly string[];
}

/** Deletes all states of a rule. */
export async function forgetAllStates(db: Db, { projectId, id }: { projectId: string; id: string }) {
  await db.run(sql`delete from rule_states where project_id = ${projectId} and module_id = ${id}`);
}

/** Notes that a condition ended without an event, by what elapsed: the next event for which it is true begins anew. */
export async function endHolding(
  db: Db,
  { projectId, moduleId, deviceId, key, eventId }: Place & { key: string; eventId: string },
): Promise<void> {
  await db.run(sql`
    update rule_states set holds = false, since = null, due_at = null, acted = false
    where project_id = ${projectId} and module_id = ${moduleId} and device_id = ${deviceId}
      and condition_key = ${key} and event_id = ${eventId} and holds`);
}

/** A run that is about to act for a device. */
export interface Claim extends Place {
  key: string;
  runId: string;
  /** The event by which the condition became true, or for which the rule acts. */
  eventId: string;
  at: Date;
  everyS: number;
  /** True: if it is held back, it acts once the interval is over and the condition still holds. */
  actsLater: boolean;
}

/**
 * Returns the runs that may act for their devices: those with no other run within the minimum interval. A run that is
 * repeated may act again. Each place may occur only once.
 */
export async function claimActing(db: Db, claims: readonly Claim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const sorted = claims.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const column = (value: (claim: Claim) => unknown) => sorted.map(value);
  const rows = await db.many<{ runId: string }>(sql`
    with asked as (
      select * from unnest(
        ${column(c => c.projectId)}::text[], ${column(c => c.moduleId)}::text[], ${column(c => c.deviceId)}::text[],
        ${column(c => c.key)}::text[], ${column(c => c.runId)}::text[], ${column(c => c.at)}::timestamptz[],
        ${column(c => c.everyS)}::int[]) as c (project_id, module_id, device_id, key, run_id, at, every_s))
    insert into rule_states as s (project_id, module_id, device_id, condition_key, acted_at, acted_run)
    select project_id, module_id, device_id, key, at, run_id from asked
    on conflict (project_id, module_id, device_id) do update set acted_at = excluded.acted_at, acted_run = excluded.acted_run
      where s.acted_at is null or s.acted_run = excluded.acted_run
        or abs(extract(epoch from s.acted_at - excluded.acted_at))
          >= (select every_s from asked where run_id = excluded.acted_run)
    returning s.acted_run as "runId"`);
  return new Set(rows.map(({ runId }) => runId));
}

/**
 * Of runs that are held back, returns those by whose event a condition became true that still holds: without them, the
 * rule would do nothing for as long as it holds. They become due when the interval is over.
 */
export async function heldWhileHolding(db: Db, held: readonly Claim[]): Promise<Set<string>> {
  if (held.length === 0) return new Set();
  const sorted = held.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const column = (value: (claim: Claim) => unknown) => sorted.map(value);
  const rows = await db.many<{ runId: string }>(sql`
    update rule_states s set due_at =
      case when h.later then s.acted_at + make_interval(secs => h.every_s) else s.due_at end
    from unnest(
      ${column(c => c.projectId)}::text[], ${column(c => c.moduleId)}::text[], ${column(c => c.deviceId)}::text[],
      ${column(c => c.key)}::text[], ${column(c => c.runId)}::text[], ${column(c => c.eventId)}::text[],
      ${column(c => c.everyS)}::int[], ${column(c => c.actsLater)}::boolean[]
    ) as h (project_id, module_id, device_id, key, run_id, event_id, every_s, later)
    where s.project_id = h.project_id and s.module_id = h.module_id and s.device_id = h.device_id
      and s.condition_key = h.key and s.event_id = h.event_id and s.holds
    returning h.run_id as "runId"`);
  return new Set(rows.map(({ runId }) => runId));
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

/** Which of these events ended a condition for which a rule had acted, as module and event. */
export async function fallsAmong(
  db: Db,
  asked: readonly { projectId: string; moduleId: string; eventId: string }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await db.many<{ moduleId: string; eventId: string }>(sql`
    select f.module_id as "moduleId", f.event_id as "eventId"
    from unnest(${asked.map(f => f.projectId)}::text[], ${asked.map(f => f.moduleId)}::text[],
      ${asked.map(f => f.eventId)}::text[]) as a (project_id, module_id, event_id)
    join rule_falls f on f.project_id = a.project_id and f.module_id = a.module_id and f.event_id = a.event_id`);
  return new Set(rows.map(({ moduleId, eventId }) => `${moduleId} ${eventId}`));
}
