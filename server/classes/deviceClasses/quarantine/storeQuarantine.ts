import type { QuarantinedMessage, SchemaFault } from '#contract/quarantine.ts';
import { quarantineMax } from '#server/classes/deviceClasses/store.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** A message that violated a schema of its class, with its errors; it is stored but not processed. */
export interface Quarantined {
  id: string;
  projectId: string;
  deviceClass: string;
  deviceId: string;
  kind: 'state' | 'event';
  /** The event name. */
  name: string | undefined;
  text: string;
  faults: SchemaFault[];
  ts: Date;
}

/** How many rows a class may gain before its oldest rows are pruned. */
const trimAfter = 500;

/** The number of classes with a counter; forgetting one costs one extra query. */
const classesMax = 2_000;

/** Stores messages in the quarantine of their class and keeps the newest ten thousand. */
export class Quarantine {
  /** Rows since the last pruning. */
  readonly #added = new Map<string, number>();

  async store(db: Db, rows: Quarantined[]): Promise<void> {
    if (rows.length === 0) return;
    await insert(db, rows);
    for (const [key, added] of Map.groupBy(
      rows,
      ({ projectId, deviceClass }) => `${projectId} ${deviceClass}`,
    )) {
      const count = (this.#added.get(key) ?? trimAfter) + added.length;
      const isDue = count >= trimAfter;
      if (this.#added.size >= classesMax) this.#added.clear();
      this.#added.set(key, isDue ? 0 : count);
      const [first] = added;
      if (isDue && first) await trim(db, first);
    }
  }
}

async function trim(db: Db, { projectId, deviceClass }: Quarantined): Promise<void> {
  await db.run(sql`
    delete from quarantine where project_id = ${projectId} and device_class = ${deviceClass} and (ts, id) <= (
      select ts, id from quarantine where project_id = ${projectId} and device_class = ${deviceClass}
      order by ts desc, id desc offset ${quarantineMax} limit 1)`);
}

async function insert(db: Db, rows: Quarantined[]): Promise<void> {
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

/** In the shape the API returns. */
export function toMessage({ id, ts, deviceId, kind, name, text, faults }: Quarantined): QuarantinedMessage {
  const payload = JSON.parse(text) as QuarantinedMessage['payload'];
  return { id, ts: ts.toISOString(), deviceId, kind, ...(name !== undefined && { name }), payload, faults };
}
