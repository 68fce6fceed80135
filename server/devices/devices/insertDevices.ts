import type { storableKey } from '#server/devices/keys/keys.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export interface NewDevice {
  id: string;
  deviceClass: string;
  tag: string;
  name: string;
  description: string;
  channel: string;
  bundleInstalled?: string | undefined;
  claimCode: string;
  suspended: boolean;
  key: Pick<ReturnType<typeof storableKey>, 'hash' | 'end'> & { sealed: Buffer | null };
  createdAt: Date;
  /** When it was imported, if it was first created elsewhere. */
  importedAt?: Date | undefined;
  /** When and how it was last seen, if it has a history. */
  seen?: { at: Date; reason: string; address: string; protocol: string; messageAt: Date } | undefined;
}

/** Inserts many devices, each with its presence row, in two statements. */
export async function insertDevices(db: Db, projectId: string, devices: readonly NewDevice[]): Promise<void> {
  const column = <T>(of: (device: NewDevice) => T) => devices.map(of);
  await db.run(sql`
    insert into devices (project_id, id, device_class, created_at, tag, name, description, channel, bundle_installed,
      claim_code, suspended, key_hash, key_sealed, key_end, imported_at)
    select ${projectId}, made.* from unnest(
      ${column(one => one.id)}::text[], ${column(one => one.deviceClass)}::text[],
      ${column(one => one.createdAt)}::timestamptz[], ${column(one => one.tag)}::text[],
      ${column(one => one.name)}::text[], ${column(one => one.description)}::text[],
      ${column(one => one.channel)}::text[], ${column(one => one.bundleInstalled ?? null)}::text[],
      ${column(one => one.claimCode)}::text[], ${column(one => one.suspended)}::boolean[],
      ${column(one => one.key.hash)}::bytea[], ${column(one => one.key.sealed)}::bytea[],
      ${column(one => one.key.end)}::text[], ${column(one => one.importedAt ?? null)}::timestamptz[]) as made`);
  await db.run(sql`
    insert into device_presence (project_id, device_id, device_class, suspended, seen_at, since, reason, address,
      protocol, last_message_at)
    select ${projectId}, id, class, suspended, seen_at, seen_at, reason, address, protocol, message_at from unnest(
      ${column(one => one.id)}::text[], ${column(one => one.deviceClass)}::text[],
      ${column(one => one.suspended)}::boolean[],
      ${column(one => one.seen?.at ?? null)}::timestamptz[], ${column(one => one.seen?.reason ?? null)}::text[],
      ${column(one => one.seen?.address ?? null)}::text[], ${column(one => one.seen?.protocol ?? null)}::text[],
      ${column(one => one.seen?.messageAt ?? null)}::timestamptz[])
    as made (id, class, suspended, seen_at, reason, address, protocol, message_at)`);
}
