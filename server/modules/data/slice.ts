import {
  listTableVersions,
  readModuleData,
  readTableVersion,
  restoreTableVersion,
  type SavedTable,
  saveTableData,
  type TableVersion,
} from '#contract/moduleData.ts';
import { Problem } from '#contract/problem.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { openModule, type StoredModule } from '#server/modules/smartModules/store.ts';
import { dataAnswer } from './dataAnswer.ts';
import * as store from './dataStore.ts';
import type { Table } from './readTable.ts';
import { checkedTable, saveTable } from './saveTable.ts';
import { rowsOf } from './shape.ts';
import type { TableConfig } from './tableConfig.ts';

/** The data that modules provide to others, and the versions of tables. */
export const moduleData: Slice = {
  tables: {
    module_data: 'The data a smart module offers to rules: the latest fetch, or the rows of a table.',
    table_versions: 'A version of the data of a table.',
  },
  routes: [
    on(readModuleData, ({ db, row, now }) => dataAnswer(db, row, now)),

    on(
      saveTableData,
      ({ platform, row, body }) => checkedTable(body, tableOf(platform, row).config),
      (call, table) => save(call, table),
    ),

    on(listTableVersions, async ({ db, platform, row }) => {
      const versions = await store.versionsOf(db, tableOf(platform, row));
      return versions.map((version, at) => toVersion(version, at === 0));
    }),

    on(readTableVersion, async call => {
      const { table, ...version } = await versionOf(call);
      const current = await store.findData(call.db, call.row);
      return {
        ...toVersion(version, current?.version === version.version),
        columns: table.columns,
        data: rowsOf(table),
      };
    }),

    on(restoreTableVersion, async call => {
      const { config } = tableOf(call.platform, call.row);
      const { table } = await versionOf(call);
      return save(call, await checkedTable({ rows: rowsOf(table) }, config));
    }),
  ],
};

type Saving = Call<typeof saveTableData> | Call<typeof restoreTableVersion>;

async function save(call: Saving, table: Table): Promise<SavedTable> {
  const { db, platform, row, now } = call;
  const before = await store.findData(db, row);
  const module = tableOf(platform, row);
  const version = await saveTable(db, module, { table, now, by: actorOf(call).displayName });
  call.before = { version: before?.version ?? 0 };
  const saved = await store.findVersion(db, module, version);
  if (!saved) throw new Problem('TABLE_VERSION_NOT_FOUND');
  return { ...toVersion(saved, true), columns: saved.table.columns };
}

function tableOf(platform: Platform, row: StoredModule): OpenModule<TableConfig> {
  if (row.moduleType !== 'table') throw new Problem('NOT_A_TABLE');
  return openModule(platform, row) as OpenModule<TableConfig>;
}

async function versionOf({
  db,
  platform,
  row,
  params,
}: Call<typeof readTableVersion> | Call<typeof restoreTableVersion>) {
  const asked = /^\d{1,9}$/.test(params.tableVersion) ? Number(params.tableVersion) : 0;
  const found = await store.findVersion(db, tableOf(platform, row), asked);
  if (!found) throw new Problem('TABLE_VERSION_NOT_FOUND');
  return found;
}

const toVersion = (
  { version, savedAt, savedBy, rows, bytes }: store.VersionRow,
  isCurrent: boolean,
): TableVersion => ({
  version,
  savedBy,
  rows,
  bytes,
  savedAt: savedAt.toISOString(),
  isCurrent,
});
