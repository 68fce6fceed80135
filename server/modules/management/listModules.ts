import type { listSmartModules, SmartModuleRow } from '#contract/smartModule.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf } from '#server/infra/db/rows.ts';
import { empty, sql } from '#server/infra/db/sql.ts';
import { activitiesOf } from '#server/modules/smartModules/activity.ts';
import { moduleColumns, type StoredModule, toModule } from '#server/modules/smartModules/store.ts';

const orders = { id: byName('s.id'), createdAt: 's.created_at', moduleType: 's.module_type' };

export async function listModules({
  db,
  params,
  query,
  page,
  now,
}: Call<typeof listSmartModules>): Promise<{ items: SmartModuleRow[]; total: number }> {
  const { projectId } = params;
  const { items, total } = await pageOf<StoredModule>(db, {
    columns: moduleColumns,
    from: sql`smart_modules s`,
    where: sql`s.project_id = ${projectId}
      ${query.moduleType ? sql`and s.module_type = ${query.moduleType}` : empty}
      ${page.search ? sql`and ${contains(sql`s.search`, page.search)}` : empty}`,
    orders,
    key: sql`s.id`,
    page,
  });
  const activities = await activitiesOf(
    db,
    projectId,
    items.map(({ id }) => id),
    now,
  );
  return {
    total,
    items: items.flatMap(item => {
      const activity = activities.get(item.id);
      const { configData: _, ...row } = toModule(item);
      return activity ? [{ ...row, activity }] : [];
    }),
  };
}
