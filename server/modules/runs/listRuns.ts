import { type listModuleRuns, type ModuleRun, moduleRunsPageMax } from '#contract/moduleRun.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { joinDevice, type RunRow, runColumns, toRun } from './runRows.ts';

const pageDefault = 50;
/** Number of the newest runs that are searched for conditions without an index. */
const lookedAtMax = 20_000;

/** Newest first; ids sort by time. */
export async function listRuns({ db, row, query }: Call<typeof listModuleRuns>): Promise<ModuleRun[]> {
  const { state, deviceId, search, after, limit = pageDefault } = query;
  const ofModule = sql`r.project_id = ${row.projectId} and r.module_id = ${row.id}
    ${after === undefined ? empty : sql`and r.id < ${after}`}
    ${deviceId === undefined ? empty : sql`and r.device_id = ${deviceId}`}`;
  const isIndexed = state === undefined || state === 'failed' || state === 'waiting';
  const inState = state === undefined ? empty : sql`and r.state = ${state}`;
  const newest = sql`
    select * from module_runs r where ${ofModule} ${isIndexed ? inState : empty} order by r.id desc limit ${lookedAtMax}`;
  const rows = await db.many<RunRow>(sql`
    select ${runColumns} from (${newest}) r ${joinDevice}
    where true ${isIndexed ? empty : inState} ${search ? found(search) : empty}
    order by r.id desc limit ${Math.min(limit, moduleRunsPageMax)}`);
  return rows.map(toRun);
}

function found(search: string): Sql {
  return sql`and ${contains(
    sql`search_text(concat_ws(' ', r.id, r.event_id, r.event_name, r.device_id, d.tag, d.name))`,
    search,
  )}`;
}
