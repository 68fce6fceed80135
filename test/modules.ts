import { z } from 'zod';
import type { ModuleTypeId } from '#contract/smartModule.ts';
import { sql } from '#server/db/sql.ts';
import { ModuleWork } from '#server/moduleDispatch/moduleWork.ts';
import { tellModules } from '#server/smartModules/moduleNotices.ts';
import type { ModuleType, Outcome, Running } from '#server/smartModules/moduleType.ts';
import { insertModule } from '#server/smartModules/store.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';
import { unique, type World } from './world.ts';

/** A type of the test's own, which stands in for one of ours. */
export function aType(
  run: (running: Running) => Promise<Outcome> | Outcome,
  given: Partial<ModuleType> = {},
): ModuleType {
  return {
    ...{ id: 'webhook', name: 'Test', summary: 'Tests.', dataSourceModuleTypes: [] },
    ...{ takesEvents: true, isDataSource: false, config: z.looseObject({}), attemptsAfterS: [0] },
    run: async running => run(running),
    ...given,
  };
}

/** Past the door, which knows our types alone. */
export async function aModule(
  { world: { platform }, projectId }: Pick<ProjectWorld, 'world' | 'projectId'>,
  given: Partial<Parameters<typeof insertModule>[1]> & { moduleType?: ModuleTypeId } = {},
): Promise<string> {
  const id = given.id ?? unique('module');
  await platform.db.tx(db =>
    insertModule(db, {
      ...{ projectId, moduleType: 'webhook', suspended: false, createdBy: 'Test', config: {} },
      ...{ subscribedEvents: ['*'], now: platform.clock(), ...given, id },
    }),
  );
  tellModules(platform, { projectId });
  return id;
}

/** As a device said it; the id of the event. */
export async function anEvent(
  { world: { platform }, projectId }: Pick<ProjectWorld, 'world' | 'projectId'>,
  deviceId: string,
  name = 'door',
  payload: unknown = {},
): Promise<string> {
  const ts = platform.clock();
  const id = platform.newId('evt', ts);
  await platform.db.run(sql`
    insert into device_events (project_id, device_id, ts, id, name, payload)
    values (${projectId}, ${deviceId}, ${ts}, ${id}, ${name}, ${JSON.stringify(payload)})`);
  return id;
}

export interface RunSeen {
  id: string;
  state: string;
  deviceId: string | null;
  eventId: string | null;
  eventName: string | null;
  attempts: number;
  summary: string;
}

/** What a module did and has to do, in its order. */
export function runsOf({ platform: { db } }: World, moduleId: string): Promise<RunSeen[]> {
  return db.many<RunSeen>(sql`
    select id, state, device_id as "deviceId", event_id as "eventId", event_name as "eventName", attempts, summary
    from module_runs where module_id = ${moduleId} order by seq`);
}

/** Resolves once the runs of a module are as they should be. */
export async function untilRuns(
  world: World,
  moduleId: string,
  isSo: (runs: RunSeen[]) => boolean,
): Promise<RunSeen[]> {
  let runs: RunSeen[] = [];
  await until(async () => {
    runs = await runsOf(world, moduleId);
    return isSo(runs) || undefined;
  });
  return runs;
}

/** A worker that knows these types alone; for a server without the role. */
export const aWorker = ({ platform }: World, types: readonly ModuleType[]) => new ModuleWork(platform, types);
