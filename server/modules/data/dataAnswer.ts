import type { ModuleData } from '#contract/moduleData.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { StoredModule } from '#server/modules/smartModules/store.ts';
import { findData, findVersion, readData } from './dataStore.ts';
import { isStale } from './staleness.ts';
import type { TableConfig } from './tableConfig.ts';

type OfModule = Pick<StoredModule, 'projectId' | 'id' | 'moduleType' | 'bulkDataLabel' | 'configData'>;

/** The data that a module provides to others, as the API shows it. */
export async function dataAnswer(db: Db, module: OfModule, now: Date): Promise<ModuleData> {
  const { moduleType, bulkDataLabel: label, configData } = module;
  if (moduleType !== 'table' && moduleType !== 'fetch') throw new Problem('NO_MODULE_DATA');
  const row = await findData(db, module);
  const data = await readData(db, module);
  const version = row && row.version > 0 ? await findVersion(db, module, row.version) : undefined;
  return {
    label,
    ...(data !== undefined && { data: data as ModuleData['data'] }),
    ...(row?.at && { at: row.at.toISOString() }),
    isStale: row !== undefined && isStale({ ...row, moduleType, configData }, now),
    bytes: row?.bytes ?? 0,
    ...(moduleType === 'fetch' && row?.triedAt && { triedAt: row.triedAt.toISOString() }),
    ...(row?.fault != null && { fault: row.fault }),
    ...(version && {
      table: {
        version: version.version,
        columns: version.table.columns,
        key: (configData as Partial<TableConfig>).key ?? '',
        rows: version.rows,
      },
    }),
  };
}
