import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { createSmartModule, type SmartModule } from '#contract/smartModule.ts';
import type { OpenModule, Running } from '#server/modules/smartModules/moduleType.ts';
import { findModule, openModule } from '#server/modules/smartModules/store.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { unique } from './world.ts';

type Given = Partial<Omit<Parameters<typeof bodyOf>[2], 'configData'>>;

const bodyOf = (moduleType: ModuleTypeId, configData: SmartModule['configData'], given: object) => ({
  id: unique('module'),
  moduleType,
  configData,
  ...given,
});

/** A module of the project, created by its owner. */
export function createdModule(
  { owner, projectId }: Pick<ProjectWorld, 'owner' | 'projectId'>,
  moduleType: ModuleTypeId,
  configData: object,
  given: Given = {},
): Promise<SmartModule> {
  const body = bodyOf(moduleType, configData as SmartModule['configData'], given);
  return owner.client.call(createSmartModule, { params: { projectId }, body });
}

/** A module as its type receives it, with its secrets. */
async function opened<Config extends object>(
  { world, projectId }: Pick<ProjectWorld, 'world' | 'projectId'>,
  id: string,
): Promise<OpenModule<Config>> {
  const row = await findModule(world.platform.db, projectId, id);
  if (!row) throw new Error(`There is no module ${id}.`);
  return openModule(world.platform, row) as OpenModule<Config>;
}

/** The first attempt of a run, as the runner would start it. */
export async function aRun<Config extends object>(
  at: Pick<ProjectWorld, 'world' | 'projectId'>,
  moduleId: string,
  given: Partial<Running<Config>> = {},
): Promise<Running<Config>> {
  return {
    runId: at.world.platform.newId('run'),
    module: await opened<Config>(at, moduleId),
    attempt: 1,
    isTest: false,
    causedBy: [],
    now: at.world.now(),
    signal: new AbortController().signal,
    ...given,
  };
}
