import { type ModuleType, moduleType } from '#server/modules/smartModules/moduleType.ts';
import { reshape, unfitRows } from './saveTable.ts';
import { type TableConfig, tableConfig } from './tableConfig.ts';

/** A developer's table in which rules look up values. */
export const tableType: ModuleType<TableConfig> = moduleType({
  id: 'table',
  name: 'Table',
  summary: 'Stores a table, such as limits or tariffs, for rules to look up values in.',
  dataSourceModuleTypes: [],
  takesEvents: false,
  isDataSource: true,
  config: tableConfig,
  attemptsAfterS: [0],
  check: async (config, { db, projectId, moduleId }) => ({
    faults: moduleId === undefined ? [] : await unfitRows(db, { projectId, id: moduleId }, config),
  }),
  changed: (db, module) => reshape(db, module),
  // Neither events nor schedules trigger a table.
  run: async () => ({ isOk: true, summary: 'A table does nothing by itself.' }),
});
