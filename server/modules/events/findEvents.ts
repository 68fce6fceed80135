import { type Db, sql } from '#server/infra/db/sql.ts';
import { timeOfId } from '#server/infra/ids.ts';
import { type EventSource, eventSources, type StoredEvent } from './eventSources.ts';

/** What is needed to find an event. */
export interface EventKey {
  projectId: string;
  deviceId: string;
  id: string;
}

interface IdParts {
  source: EventSource;
  ts: Date;
  number: string | null;
}

/** Each id contains its time, which identifies the partition. Undefined if this is not the id of an event. */
function partsOf(id: string): IdParts | undefined {
  const source = eventSources.find(({ prefix }) => id.startsWith(`${prefix}_`));
  if (!source) return undefined;
  const ms = timeOfId(source.prefix, id);
  if (ms !== undefined) return { source, ts: new Date(ms), number: null };
  const [, at, number] = /^[a-z]+_(\d{1,14})_(\d{1,18})$/.exec(id) ?? [];
  return at !== undefined && number !== undefined ? { source, ts: new Date(Number(at)), number } : undefined;
}

/** The events that still exist, by id. */
export async function findEvents(db: Db, keys: readonly EventKey[]): Promise<Map<string, StoredEvent>> {
  const found = new Map<string, StoredEvent>();
  const asked = keys.flatMap(key => {
    const parts = partsOf(key.id);
    return parts ? [{ ...key, ...parts }] : [];
  });
  for (const [source, all] of Map.groupBy(asked, one => one.source)) {
    const rows = await db.many<StoredEvent>(sql`
      select ${source.columns} from unnest(
        ${all.map(one => one.projectId)}::text[], ${all.map(one => one.deviceId)}::text[],
        ${all.map(one => one.id)}::text[], ${all.map(one => one.ts)}::timestamptz[],
        ${all.map(one => one.number)}::bigint[]
      ) as asked (project_id, device_id, id, ts, number)
      join ${source.from} on t.project_id = asked.project_id and t.device_id = asked.device_id and ${source.isAsked}`);
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** An event of any device of the project. Tries each device, because there is no index on the id alone. */
export async function findEvent(db: Db, projectId: string, id: string): Promise<StoredEvent | undefined> {
  const parts = partsOf(id);
  if (!parts) return undefined;
  const { source, ts, number } = parts;
  return db.one<StoredEvent>(sql`
    with asked as materialized (select ${id}::text as id, ${ts}::timestamptz as ts, ${number}::bigint as number)
    select e.* from asked cross join devices d cross join lateral (
      select ${source.columns} from ${source.from}
      where t.project_id = d.project_id and t.device_id = d.id and ${source.isAsked} offset 0) e
    where d.project_id = ${projectId} limit 1`);
}
