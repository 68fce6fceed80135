import { Problem } from '#contract/problem.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { hashFile } from './hashFile.ts';

interface Row {
  id: string;
  /** What the file belongs to. */
  name: string;
  place: string;
  sizeBytes: number;
  sha256: string;
}

interface Checked {
  count: number;
  bytes: number;
  /** A sentence for each file that is missing or was changed. */
  faults: string[];
}

const batch = 100;

/** Files of versions, and deltas to them, by id. */
const all = sql`
  select v.id, 'version ' || v.name || ' of ' || c.name || ' (' || v.id || ')' as name, v.place,
    v.size_bytes::float8 as "sizeBytes", v.sha256
  from component_versions v join components c on c.project_id = v.project_id and c.id = v.component_id
  where v.state = 'ready'
  union all
  select v.id || ' ' || d.from_sha256, 'the delta to version ' || v.name || ' (' || v.id || ') from ' || left(d.from_sha256, 12),
    d.place, d.size_bytes::float8, d.sha256
  from firmware_deltas d join component_versions v on v.project_id = d.project_id and v.id = d.version_id
  where d.state = 'ready'`;

/** Reads the files of all versions and compares them with what was verified when they were uploaded. */
export async function checkFiles({ db, storage }: Pick<Platform, 'db' | 'storage'>): Promise<Checked> {
  const checked: Checked = { count: 0, bytes: 0, faults: [] };
  for (let after = ''; ; ) {
    const rows = await db.many<Row>(sql`
      select * from (${all}) as f where f.id > ${after} order by f.id limit ${batch}`);
    for (const row of rows) {
      const fault = await faultOf(storage, row);
      if (fault) checked.faults.push(`${row.name} ${fault}`);
      checked.count += 1;
      checked.bytes += row.sizeBytes;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < batch) return checked;
  }
}

async function faultOf(storage: Platform['storage'], row: Row): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await hashFile(await storage.read(row.place));
    if (bytes !== row.sizeBytes) return `has ${bytes} bytes instead of ${row.sizeBytes}`;
    return sha256 === row.sha256 ? undefined : 'does not match its checksum';
  } catch (error) {
    if (error instanceof Problem && error.reason === 'FILE_NOT_FOUND') return 'is missing';
    return `could not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
