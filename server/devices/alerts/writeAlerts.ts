import type { AlertState } from '#contract/alert.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { AlertChange } from './alertChanges.ts';
import { type AlertBatch, placeOf } from './alertReports.ts';

export type NewAlert = AlertBatch & { id: string };

const eventOf = ({ source }: AlertBatch) => (source.kind === 'device' ? source.event : null);
const eventIdOf = ({ source }: AlertBatch) => (source.kind === 'device' ? source.eventId : null);
const runIdOf = ({ source }: AlertBatch) => (source.kind === 'module' ? source.runId : null);

/**
 * Returns the id of each alert by its place, without those whose device does not exist. If another caller stored an
 * alert in the meantime, it is counted there and is not new.
 */
export async function insertAlerts(
  db: Db,
  alerts: readonly NewAlert[],
): Promise<ReadonlyMap<string, { id: string; isNew: boolean }>> {
  if (alerts.length === 0) return new Map();
  const column = (value: (alert: NewAlert) => unknown) => alerts.map(value);
  const rows = await db.many<{
    id: string;
    deviceId: string;
    moduleId: string;
    key: string;
    isNew: boolean;
  }>(sql`
    insert into alerts as a (project_id, id, device_id, device_class, module_id, key, severity, text, count, ts, last_at,
      event, event_id, run_id, hop, ends_with_condition)
    select n.project_id, n.id, n.device_id, d.device_class, n.module_id, n.key, n.severity, n.text, n.count, n.ts,
      n.last_at, n.event, n.event_id, n.run_id, n.hop, n.ends
    from unnest(
      ${column(a => a.projectId)}::text[], ${column(a => a.id)}::text[], ${column(a => a.deviceId)}::text[],
      ${column(a => a.moduleId)}::text[], ${column(a => a.key)}::text[], ${column(a => a.severity)}::text[],
      ${column(a => a.text)}::text[], ${column(a => a.count)}::bigint[], ${column(a => a.firstAt)}::timestamptz[],
      ${column(a => a.lastAt)}::timestamptz[], ${column(eventOf)}::text[], ${column(eventIdOf)}::text[],
      ${column(runIdOf)}::text[], ${column(a => a.hop)}::smallint[], ${column(a => a.endsWithCondition)}::boolean[]
    ) as n (project_id, id, device_id, module_id, key, severity, text, count, ts, last_at, event, event_id, run_id, hop, ends)
    join devices d on d.project_id = n.project_id and d.id = n.device_id
    order by n.project_id, n.device_id, n.module_id, n.key
    on conflict (project_id, device_id, module_id, key) where is_current do update set
      count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at), severity = excluded.severity,
      text = excluded.text, event = excluded.event, event_id = excluded.event_id, run_id = excluded.run_id,
      ends_with_condition = excluded.ends_with_condition
    returning id, device_id as "deviceId", module_id as "moduleId", key, (xmax = 0) as "isNew"`);
  return new Map(rows.map(({ id, isNew, ...place }) => [placeOf(place), { id, isNew }]));
}

/** Counts further reports of existing, locked alerts. An alert that became more severe is e-mailed again. */
export async function countReports(db: Db, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  const column = (value: (alert: NewAlert) => unknown) => alerts.map(value);
  await db.run(sql`
    update alerts a set count = a.count + n.count, last_at = greatest(a.last_at, n.last_at), severity = n.severity,
      text = n.text, event = coalesce(n.event, a.event), event_id = coalesce(n.event_id, a.event_id),
      run_id = coalesce(n.run_id, a.run_id), hop = n.hop, ends_with_condition = n.ends,
      opened_tx = case when n.rank > a.severity_order then pg_current_xact_id() else a.opened_tx end
    from (
      select *, case severity when 'info' then 0 when 'warning' then 1 else 2 end as rank from unnest(
        ${column(a => a.projectId)}::text[], ${column(a => a.id)}::text[], ${column(a => a.severity)}::text[],
        ${column(a => a.text)}::text[], ${column(a => a.count)}::bigint[], ${column(a => a.lastAt)}::timestamptz[],
        ${column(eventOf)}::text[], ${column(eventIdOf)}::text[], ${column(runIdOf)}::text[],
        ${column(a => a.hop)}::smallint[], ${column(a => a.endsWithCondition)}::boolean[]
      ) as u (project_id, id, severity, text, count, last_at, event, event_id, run_id, hop, ends)) n
    where a.project_id = n.project_id and a.id = n.id`);
}

/** Retires alerts that are about to be replaced. Unresolved ones belong to the previous owner of the device. */
export async function retireAlerts(
  db: Db,
  alerts: readonly { projectId: string; id: string }[],
): Promise<void> {
  await db.run(sql`
    update alerts a set is_current = false,
      state = 'resolved',
      state_at = case when a.state = 'resolved' then a.state_at else a.last_at end,
      state_by = case when a.state = 'resolved' then a.state_by else '{"type":"platform","id":"mooring"}' end,
      state_note = case when a.state = 'resolved' then a.state_note else 'The device moved to another home.' end,
      revision = a.revision + 1
    from unnest(${alerts.map(({ projectId }) => projectId)}::text[], ${alerts.map(({ id }) => id)}::text[])
      as n (project_id, id)
    where a.project_id = n.project_id and a.id = n.id`);
}

const stateAfter: Partial<Record<AlertChange['what'], AlertState>> = {
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  reopened: 'open',
};

/** Sets the states that these changes lead to, on locked alerts. */
export async function setStates(db: Db, changes: readonly AlertChange[]): Promise<void> {
  const ofState = changes.filter(({ what }) => stateAfter[what] !== undefined);
  if (ofState.length === 0) return;
  const column = (value: (change: AlertChange) => unknown) => ofState.map(value);
  await db.run(sql`
    update alerts a set state = n.state, state_at = n.at, state_by = n.by::jsonb, state_note = n.note,
      opened_tx = case when n.state = 'open' then pg_current_xact_id() else a.opened_tx end, revision = a.revision + 1
    from unnest(
      ${column(c => c.projectId)}::text[], ${column(c => c.alertId)}::text[], ${column(c => stateAfter[c.what])}::text[],
      ${column(c => c.at)}::timestamptz[], ${column(c => JSON.stringify(c.by))}::text[], ${column(c => c.note)}::text[]
    ) as n (project_id, id, state, at, by, note)
    where a.project_id = n.project_id and a.id = n.id`);
}
