import { createHash } from 'node:crypto';
import type { ConfigFault } from '#contract/moduleConfig.ts';
import type { TableColumn } from '#contract/moduleData.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { findData, findVersion, insertVersion, storeData } from './dataStore.ts';
import { type GivenTable, readTable, type Table } from './readTable.ts';
import { rowsOf, shapeOf } from './shape.ts';
import type { TableConfig } from './tableConfig.ts';

type OfTable = Pick<OpenModule<TableConfig>, 'projectId' | 'id' | 'config'>;

export async function checkedTable(given: GivenTable, config: TableConfig): Promise<Table> {
  const read = await readTable(given, config);
  if ('table' in read) return read.table;
  throw new Problem('TABLE_UNFIT', {
    context: { faults: read.faults },
    ...(read.faults[0] && { message: sentenceOf(read.faults[0]) }),
  });
}

function sentenceOf({
  row,
  column,
  message,
}: {
  row?: number | undefined;
  column?: string | undefined;
  message: string;
}): string {
  const place = [row === undefined ? '' : `Row ${row}`, column === undefined ? '' : `column ${column}`];
  const said = place.filter(part => part !== '').join(', ');
  return said === '' ? message : `${said[0]?.toUpperCase()}${said.slice(1)}: ${message}`;
}

/** Saves a table as its next version, and publishes it to the modules that use it. Returns the version. */
export async function saveTable(
  db: Db,
  module: OfTable,
  { table, now, by }: { table: Table; now: Date; by: string },
): Promise<number> {
  const before = await findData(db, module, true);
  const version = (before?.version ?? 0) + 1;
  await insertVersion(db, module, { version, table, now, by });
  await storeShape(db, module, { table, version, at: now });
  return version;
}

/** Rebuilds the data for rules, because another key changes how they see the same rows. */
export async function reshape(db: Db, module: OfTable): Promise<void> {
  const row = await findData(db, module, true);
  if (!row?.at || row.source === sourceOf(module.config)) return;
  const found = await findVersion(db, module, row.version);
  if (!found) return;
  const table = await checkedTable({ rows: rowsOf(found.table) }, module.config);
  await storeShape(db, module, { table, version: row.version, at: row.at });
}

/** The errors in the current rows under a new configuration. */
export async function unfitRows(
  db: Db,
  at: { projectId: string; id: string },
  config: TableConfig,
): Promise<ConfigFault[]> {
  const row = await findData(db, at);
  const found = row && (await findVersion(db, at, row.version));
  if (!found) return [];
  const read = await readTable({ rows: rowsOf(found.table) }, config);
  return 'faults' in read
    ? read.faults.slice(0, 5).map(fault => ({
        pointer: fault.column !== undefined && fault.column === config.key ? '/key' : '/columns',
        message: `The current data does not fit. ${sentenceOf(fault)}`,
      }))
    : [];
}

async function storeShape(
  db: Db,
  module: OfTable,
  { table, version, at }: { table: Table; version: number; at: Date },
): Promise<void> {
  const text = JSON.stringify(shapeOf(table, module.config.key));
  await storeData(db, module, { text, at, version, source: sourceOf(module.config) });
}

function sourceOf({ columns, key }: { columns: readonly TableColumn[]; key: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([key, columns]))
    .digest('base64url');
}
