import { mergePatch } from '#rules/json/mergePatch.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

type JsonObject = Record<string, unknown>;

/** Number of devices whose changes are in memory together. */
const devicesAtOnce = 200;

/**
 * The reported states of devices at a time within the last seven days: the current states with all later changes
 * undone.
 */
export async function statesAt(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
  at: Date,
): Promise<Map<string, JsonObject>> {
  const states = new Map<string, JsonObject>();
  for (let first = 0; first < deviceIds.length; first += devicesAtOnce) {
    const ids = deviceIds.slice(first, first + devicesAtOnce);
    const rows = await db.many<{ id: string; reported: JsonObject; undos: JsonObject[] | null }>(sql`
      select s.device_id as id, s.reported, (
        select json_agg(c.undo order by c.seq desc) from state_reports c
        where c.project_id = s.project_id and c.device_id = s.device_id and c.ts > ${at} and c.undo is not null) as undos
      from device_states s where s.project_id = ${projectId} and s.device_id = any(${ids})`);
    for (const { id, reported, undos } of rows) states.set(id, patched(reported, undos ?? []));
  }
  return states;
}

function patched(state: JsonObject, patches: readonly JsonObject[]): JsonObject {
  // An object patched with an object is an object.
  return patches.reduce((before, patch) => mergePatch(before, patch) as JsonObject, state);
}
