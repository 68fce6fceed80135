import type { QuarantinedMessage, SchemaFault } from '#contract/deviceClass.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** A message that broke a schema of its class: kept with what is wrong in it, and not acted on. */
export interface Quarantined {
  id: string;
  projectId: string;
  deviceClass: string;
  deviceId: string;
  kind: 'state' | 'event';
  /** Of the event. */
  name: string | undefined;
  text: string;
  faults: SchemaFault[];
  ts: Date;
}

export async function keepInQuarantine(db: Db, rows: Quarantined[]): Promise<void> {
  if (rows.length === 0) return;
  await db.run(sql`
    insert into quarantine (project_id, device_class, ts, id, device_id, kind, name, payload, faults)
    select project_id, device_class, ts, id, device_id, kind, name, payload::json, faults::jsonb from unnest(
      ${rows.map(row => row.projectId)}::text[], ${rows.map(row => row.deviceClass)}::text[],
      ${rows.map(row => row.ts)}::timestamptz[], ${rows.map(row => row.id)}::text[],
      ${rows.map(row => row.deviceId)}::text[], ${rows.map(row => row.kind)}::text[],
      ${rows.map(row => row.name ?? null)}::text[], ${rows.map(row => row.text)}::text[],
      ${rows.map(row => JSON.stringify(row.faults))}::text[]
    ) as r (project_id, device_class, ts, id, device_id, kind, name, payload, faults)
    on conflict do nothing`);
}

/** As the API shows it. */
export function toMessage({ id, ts, deviceId, kind, name, text, faults }: Quarantined): QuarantinedMessage {
  const payload = JSON.parse(text) as QuarantinedMessage['payload'];
  return { id, ts: ts.toISOString(), deviceId, kind, ...(name !== undefined && { name }), payload, faults };
}
