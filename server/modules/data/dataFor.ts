import { type Db, sql } from '#server/infra/db/sql.ts';
import type { StoredModule } from '#server/modules/smartModules/store.ts';
import { isStale } from './staleness.ts';

/** The data that a module uses from another, by its label. */
export interface SourceData {
  data: unknown;
  at: Date;
  isStale: boolean;
}

interface Kept {
  revision: string;
  data: unknown;
  bytes: number;
}

/** Parsed data, least recently used first: a rule needs the same data for every event. */
const kept = new Map<string, Kept>();
const keptBytesMax = 64 * 1024 * 1024;
let keptBytes = 0;

type Source = Pick<StoredModule, 'id' | 'moduleType' | 'bulkDataLabel' | 'configData'> & {
  at: Date;
  source: string;
  bytes: number;
  revision: string;
};

/** The data of these modules by their labels; modules without data are left out. */
export async function dataFor(
  db: Db,
  projectId: string,
  moduleIds: readonly string[],
  now: Date,
): Promise<Record<string, SourceData>> {
  if (moduleIds.length === 0) return {};
  const sources = await db.many<Source>(sql`
    select s.id, s.module_type as "moduleType", s.bulk_data_label as "bulkDataLabel", s.config as "configData", d.at,
      d.source, d.bytes, d.revision::text || ' ' || d.xmin::text as revision
    from smart_modules s join module_data d on d.project_id = s.project_id and d.module_id = s.id
    where s.project_id = ${projectId} and s.id = any(${moduleIds}) and s.bulk_data_label <> '' and d.at is not null`);
  const parsed = await parsedOf(db, projectId, sources);
  return Object.fromEntries(
    sources.map(source => [
      source.bulkDataLabel,
      { data: parsed.get(source.id), at: source.at, isStale: isStale(source, now) },
    ]),
  );
}

async function parsedOf(
  db: Db,
  projectId: string,
  sources: readonly Source[],
): Promise<Map<string, unknown>> {
  const keyOf = (id: string) => `${projectId} ${id}`;
  const found = new Map<string, unknown>();
  for (const { id, revision } of sources) {
    const one = kept.get(keyOf(id));
    if (one?.revision === revision) found.set(id, use(keyOf(id), one).data);
  }
  const missing = sources.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return found;
  const rows = await db.many<{ id: string; data: unknown; bytes: number; revision: string }>(sql`
    select module_id as id, data, bytes, revision::text || ' ' || xmin::text as revision from module_data
    where project_id = ${projectId} and module_id = any(${missing.map(({ id }) => id)})`);
  for (const { id, ...row } of rows) found.set(id, use(keyOf(id), row).data);
  return found;
}

/** Marks it as most recently used, and evicts the least recently used data. */
function use(key: string, one: Kept): Kept {
  const before = kept.get(key);
  if (before) forget(key, before);
  kept.set(key, one);
  keptBytes += one.bytes;
  for (const [oldest, other] of kept) {
    if (keptBytes <= keptBytesMax) break;
    forget(oldest, other);
  }
  return one;
}

function forget(key: string, { bytes }: Kept): void {
  kept.delete(key);
  keptBytes -= bytes;
}
