import type { Db } from '#server/infra/db/sql.ts';
import { dataFor } from '#server/modules/data/dataFor.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';

type Data = Record<string, unknown>;

/** The data that modules use from other modules, by label. */
export async function sourceData(
  db: Db,
  modules: readonly OpenModule[],
  now: Date,
): Promise<Map<OpenModule, Data>> {
  const found = new Map<OpenModule, Data>();
  for (const module of new Set(modules)) {
    const { projectId, dataSourceModules } = module;
    if (dataSourceModules.length === 0) continue;
    const sources = await dataFor(db, projectId, dataSourceModules, now);
    found.set(module, Object.fromEntries(Object.entries(sources).map(([label, { data }]) => [label, data])));
  }
  return found;
}
