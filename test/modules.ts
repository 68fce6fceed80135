import { z } from 'zod';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { sql } from '#server/infra/db/sql.ts';
import { ModuleWork } from '#server/modules/dispatch/moduleWork.ts';
import { publishModules } from '#server/modules/smartModules/moduleNotices.ts';
import type {
  Choice,
  Chosen,
  ModuleType,
  Outcome,
  Running,
} from '#server/modules/smartModules/moduleType.ts';
import { insertModule } from '#server/modules/smartModules/store.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';
import { unique, type World } from './world.ts';

/** A module type defined by the test, in place of a real one. */
export function aType(
  run: (running: Running) => Promise<Outcome> | Outcome,
  given: Partial<ModuleType> = {},
): ModuleType {
  return {
    id: 'webhook',
    name: 'Test',
    summary: 'Tests.',
    dataSourceModuleTypes: [],
    takesEvents: true,
    isDataSource: false,
    config: z.looseObject({}),
    attemptsAfterS: [0],
    run: async running => run(running),
    ...given,
  };
}

/** The `choose` of a type that decides without evaluating anything. */
export const deciding =
  (decide: (events: readonly Chosen[]) => Promise<Choice[]>): NonNullable<ModuleType['choose']> =>
  async events => {
    const choices = await decide(events);
    const choiceOf = new Map(events.map((event, at) => [event, choices[at] ?? { hit: false }]));
    return {
      late: new Set(),
      decide: async (_db, some) => some.map(event => choiceOf.get(event) ?? { hit: false }),
    };
  };

/** Inserted directly into the tables, because the API only knows the real types. */
export async function aModule(
  { world: { platform }, projectId }: Pick<ProjectWorld, 'world' | 'projectId'>,
  given: Partial<Parameters<typeof insertModule>[1]> & { moduleType?: ModuleTypeId } = {},
): Promise<string> {
  const id = given.id ?? unique('module');
  await platform.db.tx(db =>
    insertModule(db, {
      projectId,
      moduleType: 'webhook',
      suspended: false,
      createdBy: 'Test',
      config: {},
      subscribedEvents: ['*'],
      now: platform.clock(),
      ...given,
      id,
    }),
  );
  publishModules(platform, { projectId });
  return id;
}

/** Stores an event as if sent by a device; returns its id. */
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

/** The finished and waiting runs of a module, in order. */
export function runsOf({ platform: { db } }: World, moduleId: string): Promise<RunSeen[]> {
  return db.many<RunSeen>(sql`
    select id, state, device_id as "deviceId", event_id as "eventId", event_name as "eventName", attempts, summary
    from module_runs where module_id = ${moduleId} order by seq`);
}

/** Resolves once the runs of a module are as expected. */
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

/** A worker that only knows these types, for a server without the worker role. */
export const aWorker = ({ platform }: World, types: readonly ModuleType[]) => new ModuleWork(platform, types);
