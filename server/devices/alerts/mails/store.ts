import type { AlertSubscription } from '#contract/alertMail.ts';
import { settled } from '#server/infra/db/settled.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Row {
  projectId: string;
  projectName: string;
  severity: AlertSubscription['severity'];
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
}

const columns = sql`
  s.project_id as "projectId", p.name as "projectName", s.severity, s.quiet_from as "quietFrom", s.quiet_to as "quietTo",
  s.time_zone as "timeZone"`;

export function quietIn({
  quietFrom,
  quietTo,
  timeZone,
}: Omit<Row, 'projectId' | 'projectName' | 'severity'>) {
  if (quietFrom === null || quietTo === null || timeZone === null) return undefined;
  return { from: quietFrom, to: quietTo, timeZone };
}

export async function subscriptionsOf(db: Db, developerId: string): Promise<AlertSubscription[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} from alert_subscriptions s join projects p on p.id = s.project_id and p.deleted_at is null
    where s.developer_id = ${developerId} order by search_text(p.name), p.id`);
  return rows.map(row => {
    const { projectId, projectName, severity } = row;
    const quiet = quietIn(row);
    return { projectId, projectName, severity, ...(quiet && { quiet }) };
  });
}

/** Alerts that are already open are not reported, nor are those that a lower severity adds. */
export async function subscribe(
  db: Db,
  { projectId, developerId }: { projectId: string; developerId: string },
  { severity, quiet }: Pick<AlertSubscription, 'severity' | 'quiet'>,
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into alert_subscriptions as s (project_id, developer_id, severity, quiet_from, quiet_to, time_zone, created_at)
    values (${projectId}, ${developerId}, ${severity}, ${quiet?.from ?? null}, ${quiet?.to ?? null},
      ${quiet?.timeZone ?? null}, ${now})
    on conflict (project_id, developer_id) do update set severity = excluded.severity,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, time_zone = excluded.time_zone,
      seen_tx = (select array_agg(
          case when n - 1 >= s.severity_order then seen else greatest(seen, ${settled}) end
          order by n)
        from unnest(s.seen_tx) with ordinality x (seen, n))`);
}

export function unsubscribe(
  db: Db,
  { projectId, developerId }: { projectId: string; developerId: string },
): Promise<number> {
  return db.run(sql`
    delete from alert_subscriptions where project_id = ${projectId} and developer_id = ${developerId}`);
}
