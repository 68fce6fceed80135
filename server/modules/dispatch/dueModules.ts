import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { addStrike } from '#server/modules/rests/store.ts';
import { countRuns, runCounts } from '#server/modules/runs/countRuns.ts';
import { insertRuns, type NewRun } from '#server/modules/runs/insertRuns.ts';
import { inLine } from '#server/modules/runs/waitingRuns.ts';
import type { ModuleType, ReadUntil } from '#server/modules/smartModules/moduleType.ts';
import { moduleColumns, openModule, type StoredModule, setDue } from '#server/modules/smartModules/store.ts';
import { isTooFar, tooFarSummary } from './matchEvents.ts';
import { keyOf } from './moduleRegistry.ts';

const dueMax = 200;
const elapsedMax = 500;
const unreadable = 'Its configuration could not be read. Save it again, with its secrets.';
const unknown = Symbol('unknown');

/**
 * Stores one run for each module of a shard that is due on schedule, however many times it was missed, and its next due
 * time. A module whose last scheduled run still waits gets no other; one whose next time is unknown rests.
 */
export function storeDue(
  platform: Platform,
  { shard, types }: { shard: number; types: readonly ModuleType[] },
): Promise<NewRun[]> {
  const now = platform.clock();
  return platform.db.tx(async db => {
    const rows = await db.many<StoredModule & { dueAt: Date; isWaiting: boolean }>(sql`
      select ${moduleColumns}, s.due_at as "dueAt", exists (
        select from module_runs r where r.project_id = s.project_id and r.module_id = s.id and r.state = 'waiting'
          and r.device_id is null) as "isWaiting"
      from smart_modules s
      where s.due_at <= ${now} and not s.suspended and module_shard(s.project_id) = ${shard}
      order by s.due_at limit ${dueMax} for update of s skip locked`);
    const runs: NewRun[] = [];
    for (const row of rows) {
      const type = types.find(({ id }) => id === row.moduleType);
      const { projectId, id: moduleId } = row;
      const next = nextDue(platform, type, row, now);
      if (next === unknown) {
        const rest = await addStrike(db, row, { because: unreadable, now });
        await setDue(db, row, rest?.until);
        continue;
      }
      await setDue(db, row, next);
      if (row.isWaiting) continue;
      const run = { id: platform.newId('run', now), projectId, moduleId, dueAt: row.dueAt };
      runs.push({ ...run, state: 'waiting', seq: null, deviceId: null, causedBy: [] });
    }
    await insertRuns(db, runs, now);
    return runs;
  });
}

/** Unknown if its configuration or its secrets cannot be read: that must not stop the others. */
function nextDue(
  platform: Platform,
  type: ModuleType | undefined,
  row: StoredModule,
  now: Date,
): Date | undefined | typeof unknown {
  try {
    return type?.dueAfter?.(openModule(platform, row).config, now);
  } catch (error) {
    const module = { projectId: row.projectId, module: row.id };
    platform.log('error', 'A smart module has no next time', { ...module, error: String(error) });
    return unknown;
  }
}

/**
 * Stores a run for each device of a shard for which a time has elapsed without an event; returns the waiting runs.
 * `isMore`: there may be more.
 */
export async function storeElapsed(
  platform: Platform,
  type: ModuleType,
  read: ReadUntil,
): Promise<{ runs: NewRun[]; isMore: boolean }> {
  const now = platform.clock();
  return platform.db.tx(async db => {
    const elapsed = (await type.elapsed?.(db, { read, limit: elapsedMax })) ?? [];
    const runs = elapsed.map(
      ({ projectId, moduleId, deviceId, dueAt, event, causedBy }): NewRun => ({
        id: platform.newId('run', now),
        projectId,
        moduleId,
        deviceId,
        event,
        dueAt,
        causedBy,
        seq: null,
        ...(isTooFar({ causedBy }) ? { state: 'dropped', summary: tooFarSummary } : { state: 'waiting' }),
      }),
    );
    const { kept, dropped } = await withRoom(db, runs, now);
    await insertRuns(db, kept, now);
    await countRuns(db, runCounts([...kept, ...dropped]), now);
    const waiting = kept.filter(({ state }) => state === 'waiting');
    return { runs: waiting, isMore: elapsed.length === elapsedMax };
  });
}

/** Drops runs beyond a module's limit, which are only counted, and runs of deleted or suspended modules. */
async function withRoom(db: Db, runs: readonly NewRun[], now: Date) {
  if (runs.length === 0) return { kept: [], dropped: [] };
  const moduleOf = ({ projectId, moduleId }: NewRun) => keyOf({ projectId, id: moduleId });
  const modules = [...new Map(runs.map(run => [moduleOf(run), run])).values()];
  const rows = await db.many<{ projectId: string; id: string; hasRoom: boolean }>(sql`
    select s.project_id as "projectId", s.id, (
      select count(*) from module_runs r
      where r.project_id = s.project_id and r.module_id = s.id and ${inLine(now)}) < ${parkAfter.waiting} as "hasRoom"
    from smart_modules s
    join unnest(${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.moduleId)}::text[])
      as asked (project_id, id) on s.project_id = asked.project_id and s.id = asked.id
    where not s.suspended order by s.project_id, s.id for share of s`);
  const hasRoom = new Map(rows.map(row => [keyOf(row), row.hasRoom]));
  const of = (room: boolean) => runs.filter(run => hasRoom.get(moduleOf(run)) === room);
  return { kept: of(true), dropped: of(false).map(run => ({ ...run, state: 'dropped' })) };
}
