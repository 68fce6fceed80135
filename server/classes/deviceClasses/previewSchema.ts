import { previewExamplesMax, type previewSchema, type SchemaPreview } from '#contract/deviceClass.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { yieldsEvery } from '#server/infra/pace/yieldsEvery.ts';
import { checkSchemas } from './checkSchemas.ts';
import { checkAgainst } from './schemas.ts';

/** How long a preview checks states before it answers with what it has counted. */
const previewMs = 1_000;
/** How long it may occupy the process at a time. */
const atATimeMs = 10;
/** Small, because a state can have 64 KiB. */
const pageSize = 200;

interface Row {
  deviceId: string;
  tag: string;
  name: string;
  reported: unknown;
}

/**
 * Checks the reported states of a class against a schema that is being edited. It yields between states and stops
 * when its time is up, so that neither a large class nor an expensive schema delays anyone else.
 */
export async function preview(call: Call<typeof previewSchema>): Promise<Omit<SchemaPreview, 'devices'>> {
  await checkSchemas(call);
  const { projectId, id } = call.row;
  const endMs = performance.now() + previewMs;
  const found: Omit<SchemaPreview, 'devices'> = { checked: 0, breaking: 0, complete: false, examples: [] };
  for (let after = ''; ; ) {
    const rows = await statesAfter(call.db, { projectId, deviceClass: id, after });
    const yielded = yieldsEvery(atATimeMs);
    for (const row of rows) {
      addFaults(found, row, checkAgainst(call.body.stateSchema, row.reported));
      if (performance.now() > endMs) return found;
      await yielded();
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return { ...found, complete: true };
    after = last.deviceId;
  }
}

function addFaults(
  found: Omit<SchemaPreview, 'devices'>,
  { deviceId, tag, name }: Row,
  [fault]: ReturnType<typeof checkAgainst>,
): void {
  found.checked++;
  if (!fault) return;
  found.breaking++;
  if (found.examples.length < previewExamplesMax) found.examples.push({ deviceId, tag, name, ...fault });
}

/** Devices that have reported something, in order of their ids. */
function statesAfter(
  db: Db,
  { projectId, deviceClass, after }: { projectId: string; deviceClass: string; after: string },
): Promise<Row[]> {
  return db.many<Row>(sql`
    select d.id as "deviceId", d.tag, d.name, s.reported
    from devices d join device_states s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.device_class = ${deviceClass} and d.id > ${after}
      and s.reported_at is not null
    order by d.id limit ${pageSize}`);
}
