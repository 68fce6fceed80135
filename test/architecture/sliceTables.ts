import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Slice } from '#server/api/slice.ts';
import { slices } from '#server/slices.ts';

const server = join(import.meta.dirname, '../../server');

export interface OwnTable {
  /** The room of the slice that declares it: `devices/alerts`. */
  owner: string;
  holds: string;
}

/** Every table that a slice declares, by its name. */
export async function sliceTables(): Promise<Map<string, OwnTable>> {
  const tables = new Map<string, OwnTable>();
  for (const path of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || !readFileSync(join(server, path), 'utf8').includes(': Slice = ')) continue;
    const exported = Object.values((await import(join(server, path))) as Record<string, unknown>);
    for (const slice of exported.filter((one): one is Slice => slices.includes(one as Slice)))
      for (const [table, holds] of Object.entries({ ...slice.tables, ...slice.platformTables }))
        tables.set(table, { owner: path.split(/[\\/]/).slice(0, 2).join('/'), holds });
  }
  return tables;
}
