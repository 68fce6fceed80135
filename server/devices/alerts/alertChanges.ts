import { type AlertBy, type AlertSeverity, alertChangesMax } from '#contract/alert.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export interface AlertChange {
  projectId: string;
  alertId: string;
  what: 'acknowledged' | 'resolved' | 'reopened' | 'severity' | 'note';
  at: Date;
  by: AlertBy;
  note: string;
  severity?: AlertSeverity;
}

/** Records changes of alerts. Of an alert that changes often, only the newest changes are kept. */
export async function addChanges(db: Db, changes: readonly AlertChange[]): Promise<void> {
  const column = (value: (change: AlertChange) => unknown) => changes.map(value);
  await db.run(sql`
    insert into alert_changes (project_id, alert_id, at, what, severity, by, note)
    select project_id, alert_id, at, what, severity, by::jsonb, note from unnest(
      ${column(c => c.projectId)}::text[], ${column(c => c.alertId)}::text[], ${column(c => c.at)}::timestamptz[],
      ${column(c => c.what)}::text[], ${column(c => c.severity ?? null)}::text[],
      ${column(c => JSON.stringify(c.by))}::text[], ${column(c => c.note)}::text[]
    ) as c (project_id, alert_id, at, what, severity, by, note)`);
  await db.run(sql`
    delete from alert_changes c using (
      select project_id, alert_id, (
        select number from alert_changes x where x.project_id = n.project_id and x.alert_id = n.alert_id
        order by number desc offset ${alertChangesMax} limit 1) as last
      from (select distinct * from unnest(
        ${column(c => c.projectId)}::text[], ${column(c => c.alertId)}::text[]) as n (project_id, alert_id)) n) old
    where c.project_id = old.project_id and c.alert_id = old.alert_id and c.number <= old.last`);
}
