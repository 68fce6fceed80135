import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { jsonObject, jsonValue, time } from './shapes.ts';

export const columnTypes = ['text', 'number', 'boolean'] as const;
export const columnNamePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
/** Limits of a table. `bytes` is the size of the request, with rows as JSON or CSV. */
export const tableMax = { bytes: 1024 * 1024, rows: 10_000, columns: 50, cellChars: 2000, versions: 20 };
export const fetchedBytesMax = 1024 * 1024;

export const TableColumn = z.object({ name: z.string(), type: z.enum(columnTypes) });
export type TableColumn = z.output<typeof TableColumn>;

export const TableVersion = z.object({
  version: z.number().int(),
  savedAt: time,
  savedBy: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
  /** True: modules use this version. */
  isCurrent: z.boolean(),
});
export type TableVersion = z.output<typeof TableVersion>;

/** A version that was just saved. */
export const SavedTable = TableVersion.extend({ columns: z.array(TableColumn) });
export type SavedTable = z.output<typeof SavedTable>;

/** The data that a module provides to other modules under its `bulkDataLabel`. */
export const ModuleData = z.object({
  label: z.string(),
  /** The value rules see as `data.{label}`. Absent: there is no data yet. */
  data: jsonValue.optional(),
  /** When the data was fetched or saved. */
  at: time.optional(),
  /** True: the data is older than it should be. */
  isStale: z.boolean(),
  bytes: z.number().int(),
  /** For modules that fetch: when the last attempt was, and why it failed. */
  triedAt: time.optional(),
  fault: z.string().optional(),
  /** For tables. Rules look up rows by the column `key`; if it is empty, they see a list. */
  table: z
    .object({
      version: z.number().int(),
      columns: z.array(TableColumn),
      key: z.string(),
      rows: z.number().int(),
    })
    .optional(),
});
export type ModuleData = z.output<typeof ModuleData>;

/** An error in the data of a table. `row` counts from 1 and does not include the header. */
export const TableFault = z.object({
  row: z.number().int().optional(),
  column: z.string().optional(),
  message: z.string(),
});
export type TableFault = z.output<typeof TableFault>;
/** The context of `TABLE_UNFIT`. */
export const TableFaults = z.object({ faults: z.array(TableFault) });

const path = '/projects/:projectId/smartModules/:moduleId/data' as const;
const view = { role: 'viewer', of: 'smartModule' } as const;
const change = { role: 'developer', of: 'smartModule' } as const;
const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'SMART_MODULE_NOT_FOUND', 'NO_MODULE_DATA'] as const;
const ofTable = [...reasons, 'NOT_A_TABLE'] as const;
const ofVersion = [...ofTable, 'TABLE_VERSION_NOT_FOUND'] as const;
const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const readModuleData = endpoint('readModuleData', `GET ${path}`, {
  summary: 'Retrieves the data that a module provides, as rules see it.',
  access: view,
  answer: ModuleData,
  reasons,
  capability: 'canAdmin',
});

export const saveTableData = endpoint('saveTableData', `PUT ${path}`, {
  summary: `Replaces the data of a table, from rows or from CSV with the column names in the first line. The last ${tableMax.versions} versions are kept.`,
  access: change,
  body: z
    .union([
      z.strictObject({ rows: z.array(jsonObject) }),
      z.strictObject({ csv: z.string().max(tableMax.bytes) }),
    ])
    .meta({ examples: [{ rows: [{ region: 'north', price: 12.4 }] }] }),
  answer: SavedTable,
  reasons: [...ofTable, 'ROLE_TOO_LOW', 'STALE', 'TABLE_UNFIT'],
  audit: 'Data of smart module {moduleId} saved as version {version}',
  makesOld: ['smartModules'],
  capability: 'canAdmin',
});

export const listTableVersions = endpoint('listTableVersions', `GET ${path}/versions`, {
  summary: 'Lists the versions of the data of a table, newest first.',
  access: view,
  answer: z.array(TableVersion),
  reasons: ofTable,
  capability: 'canAdmin',
});

export const readTableVersion = endpoint('readTableVersion', `GET ${path}/versions/:tableVersion`, {
  summary: 'Retrieves a version of the data of a table, row by row.',
  access: view,
  answer: TableVersion.extend({ columns: z.array(TableColumn), data: z.array(row) }),
  reasons: ofVersion,
  capability: 'canAdmin',
});

export const restoreTableVersion = endpoint(
  'restoreTableVersion',
  `POST ${path}/versions/:tableVersion/restore`,
  {
    summary: 'Restores an earlier version of the data of a table, as a new version.',
    access: change,
    answer: SavedTable,
    reasons: [...ofVersion, 'ROLE_TOO_LOW', 'TABLE_UNFIT'],
    audit: 'Data of smart module {moduleId} restored as version {version}',
    makesOld: ['smartModules'],
    capability: 'canAdmin',
  },
);
