import { Problem } from '#contract/problem.ts';
import {
  checkModuleConfig,
  createSmartModule,
  deleteSmartModule,
  editSmartModule,
  listSmartModules,
  listSmartModuleTypes,
  readModuleEditDoc,
  readModuleTypeDoc,
  readModuleViewDoc,
  readSmartModule,
} from '#contract/smartModule.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { publishModules } from '#server/modules/smartModules/moduleNotices.ts';
import * as store from '#server/modules/smartModules/store.ts';
import { findModuleType, moduleTypes, toTypeAnswer, typeOf } from '#server/modules/types/moduleTypes.ts';
import { configDocOf, moduleDocOf } from './configDocs.ts';
import { listModules } from './listModules.ts';
import { checkCreate, checkEdit, checkOnly, create, edit } from './saveModule.ts';

/** The calls of developers and back ends for smart modules. */
export const moduleManagement: Slice = {
  routes: [
    on(listSmartModuleTypes, async () => moduleTypes.map(toTypeAnswer)),

    on(readModuleTypeDoc, async ({ params }) => {
      const type = findModuleType(params.moduleType);
      if (!type) throw new Problem('MODULE_TYPE_NOT_FOUND');
      return configDocOf(type.id);
    }),

    on(listSmartModules, listModules),
    on(createSmartModule, checkCreate, create),
    on(checkModuleConfig, checkOnly),
    on(readSmartModule, async ({ row }) => store.toModule(row)),
    on(editSmartModule, checkEdit, edit),
    on(deleteSmartModule, remove),
    on(readModuleEditDoc, async ({ platform, row }) => moduleDocOf(platform, row)),
    on(readModuleViewDoc, async ({ platform, row }) => moduleDocOf(platform, row)),
  ],
};

async function remove({ db, platform, row, afterCommit }: Call<typeof deleteSmartModule>): Promise<void> {
  const users = await db.many<{ id: string }>(sql`
    select id from smart_modules where project_id = ${row.projectId} and ${row.id} = any(data_source_modules)
    order by id limit 20`);
  if (users.length > 0)
    throw new Problem('DEPENDENCY_RESTRICTION', { context: { smartModules: users.map(({ id }) => id) } });
  const module = { ...store.openModule(platform, row), suspended: true };
  await typeOf(row.moduleType).changed?.(db, module, platform);
  await store.deleteModule(db, row.projectId, row.id);
  afterCommit(() => publishModules(platform, { projectId: row.projectId }));
}
