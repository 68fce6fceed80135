import type { QuarantinedMessage, SchemaFault } from '#contract/deviceClass.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { quarantineMax } from '#server/deviceClasses/store.ts';

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

/** Rows of a class that come in before the oldest of too many are looked for. */
const trimAfter = 500;

/** Classes that are counted; to forget them costs one look each. */
const classesMax = 2_000;

/** Keeps messages in the quarantine of their class, the newest ten thousand. */
export class Quarantine {
  /** Since the last look. */
  readonly #added = new Map<string, number>();

  async keep(db: Db, rows: Quarantined[]): Promise<void> {
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

/** As the API shows it. */
export function toMessage({ id, ts, deviceId, kind, name, text, faults }: Quarantined): QuarantinedMessage {
  const payload = JSON.parse(text) as QuarantinedMessage['payload'];
  return { id, ts: ts.toISOString(), deviceId, kind, ...(name !== undefined && { name }), payload, faults };
}
