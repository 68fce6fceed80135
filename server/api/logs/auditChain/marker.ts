import { timingSafeEqual } from 'node:crypto';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { canonicalJson } from './hash.ts';

/** The seals of a log whose entries have expired. */
export interface Marker {
  /** All up to this number. */
  seq: number;
  /** In hexadecimal, like the others. */
  hash: string;
  /** The hashes of those after it, by number: their entries were sealed late. */
  late: Readonly<Record<string, string>>;
}

/** Undefined if nothing has expired; `forged` if the platform did not write what is there. */
export async function readMarker(
  db: Db,
  sealing: Pick<Sealing, 'mac'>,
  projectId: string,
): Promise<Marker | 'forged' | undefined> {
  const row = await db.one<{ seq: string; hash: Buffer; late: Marker['late']; mac: Buffer }>(
    sql`select seq, hash, late, mac from audit_markers where project_id = ${projectId}`,
  );
  if (!row) return undefined;
  const marker = { seq: Number(row.seq), hash: row.hash.toString('hex'), late: row.late };
  const mac = macOf(sealing, projectId, marker);
  return row.mac.length === mac.length && timingSafeEqual(row.mac, mac) ? marker : 'forged';
}

export async function writeMarker(
  db: Db,
  sealing: Pick<Sealing, 'mac'>,
  projectId: string,
  marker: Marker,
): Promise<void> {
  const { seq, hash, late } = marker;
  await db.run(sql`
    insert into audit_markers (project_id, seq, hash, late, mac)
    values (${projectId}, ${seq}, ${Buffer.from(hash, 'hex')}, ${JSON.stringify(late)}::jsonb,
      ${macOf(sealing, projectId, marker)})
    on conflict (project_id) do update
    set seq = excluded.seq, hash = excluded.hash, late = excluded.late, mac = excluded.mac`);
}

/** Whether the entry of this seal may be absent. */
export function mayBeAbsent(marker: Marker | undefined, seq: number, hash: Buffer): boolean {
  if (!marker) return false;
  // The hashes before the marker's are not needed any more: the chain continues with the marker's.
  if (seq < marker.seq) return true;
  return (seq === marker.seq ? marker.hash : marker.late[seq]) === hash.toString('hex');
}

function macOf({ mac }: Pick<Sealing, 'mac'>, projectId: string, marker: Marker): Buffer {
  return mac(`audit marker ${canonicalJson({ projectId, ...marker })}`);
}
