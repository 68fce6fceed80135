import { Problem } from '#contract/problem.ts';
import { sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import { hashFile } from './hashFile.ts';

interface Row {
  projectId: string;
  id: string;
  name: string;
  componentName: string;
  place: string;
  sizeBytes: number;
  sha256: string;
}

interface Checked {
  count: number;
  bytes: number;
  /** A sentence for each file that is missing or not what it was. */
  faults: string[];
}

const batch = 100;

/** Reads the files of all versions and compares them with what was verified when they were uploaded. */
export async function checkFiles({ db, storage }: Pick<Platform, 'db' | 'storage'>): Promise<Checked> {
  const checked: Checked = { count: 0, bytes: 0, faults: [] };
  for (let after = ''; ; ) {
    const rows = await db.many<Row>(sql`
      select v.project_id as "projectId", v.id, v.name, c.name as "componentName", v.place,
        v.size_bytes::float8 as "sizeBytes", v.sha256
      from component_versions v join components c on c.project_id = v.project_id and c.id = v.component_id
      where v.state = 'ready' and v.id > ${after} order by v.id limit ${batch}`);
    for (const row of rows) {
      const fault = await faultOf(storage, row);
      if (fault) checked.faults.push(`version ${row.name} of ${row.componentName} (${row.id}) ${fault}`);
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
