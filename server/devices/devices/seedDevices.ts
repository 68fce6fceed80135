import { dayMs } from '#rules/time/durations.ts';
import { hashKey, makeClaimCode, makeDeviceKey } from '#server/devices/keys/keys.ts';
import { insertChannels } from '#server/firmware/channels/insertChannels.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const batch = 5_000;
const yearMs = 365 * dayMs;
const monthMs = 30 * dayMs;

const rooms = [
  'Hall',
  'Kitchen',
  'Cellar',
  'Attic',
  'Workshop',
  'Stairs',
  'Library',
  'Garage',
  'Laundry',
  'Porch',
];
const places = [
  'by the window',
  'above the door',
  'next to the boiler',
  'on the north wall',
  'under the roof',
];
const channels = ['', '', '', '', '', '', '', '', 'beta', 'beta', 'canary'];

/** A generated device that nobody uses: for trials and measurements. */
interface SeededRow {
  id: string;
  deviceClass: string;
  tag: string;
  name: string;
  channel: string;
  claimCode: string;
  hash: Buffer;
  sealed: Buffer;
  end: string;
  createdAt: Date;
  /** When it was last connected; null if never. */
  seenAt: Date | null;
}

/**
 * Fills a project with devices of these classes in turn, with creation times spread over the last year. None is
 * connected, because only connections set that status. Reports the count after each batch.
 */
export async function seedDevices(
  platform: Pick<Platform, 'db' | 'newId' | 'clock' | 'sealing'>,
  { projectId, classes, count }: { projectId: string; classes: string[]; count: number },
  tell: (done: number) => void = () => undefined,
): Promise<void> {
  const now = platform.clock();
  const followed = [...new Set(channels)].filter(name => name !== '');
  const made = classes.flatMap(deviceClass =>
    followed.map(name => ({ id: platform.newId('chn'), deviceClass, name })),
  );
  await insertChannels(platform.db, projectId, made, now);
  let written: Promise<void> = Promise.resolve();
  for (let first = 0; first < count; first += batch) {
    const rows = Array.from({ length: Math.min(batch, count - first) }, (_, i) =>
      seededRow(platform, { number: first + i, count, classes, now }),
    );
    await written;
    // While the database stores this batch, the next one is generated.
    written = platform.db.tx(db => insertRows(db, projectId, rows)).then(() => tell(first + rows.length));
    written.catch(() => undefined);
  }
  await written;
}

function seededRow(
  { newId, sealing }: Pick<Platform, 'newId' | 'sealing'>,
  given: { number: number; count: number; classes: string[]; now: Date },
): SeededRow {
  const { number, count, classes, now } = given;
  // Ids sort by time, so the first device is the oldest.
  const createdAt = new Date(now.getTime() - yearMs + Math.floor((number / count) * yearMs));
  const key = makeDeviceKey();
  const room = rooms[spread(number, rooms.length)] ?? '';
  const seenMs = Math.max(createdAt.getTime(), now.getTime() - spread(number + 1, monthMs));
  return {
    id: newId('dev', createdAt),
    deviceClass: classes[number % classes.length] ?? '',
    tag: `${room.toLowerCase()}-${number + 1}`,
    name: `${room}, ${places[spread(number + 2, places.length)]}`,
    channel: channels[spread(number + 3, channels.length)] ?? '',
    claimCode: makeClaimCode(),
    hash: hashKey(key),
    sealed: sealing.seal(key),
    end: key.slice(-4),
    createdAt,
    seenAt: spread(number + 4, 5) < 3 ? new Date(seenMs) : null,
  };
}

/** Deterministic, without a visible pattern in consecutive numbers. */
function spread(number: number, below: number): number {
  const mixed = Math.imul(number ^ (number >>> 15), 0x9e3779b1) ^ (number << 7);
  return (Math.imul(mixed ^ (mixed >>> 13), 0x85ebca6b) >>> 0) % below;
}

async function insertRows(db: Db, projectId: string, rows: SeededRow[]): Promise<void> {
  const all = <Name extends keyof SeededRow>(name: Name) => rows.map(row => row[name]);
  // If a claim code is taken, its device is skipped, which does not matter among millions.
  await db.run(sql`
    with project as (
      select id, forget_device_keys from projects where id = ${projectId} and deleted_at is null for share),
    given as (
      select * from unnest(${all('id')}::text[], ${all('deviceClass')}::text[], ${all('tag')}::text[],
        ${all('name')}::text[], ${all('channel')}::text[], ${all('claimCode')}::text[], ${all('hash')}::bytea[],
        ${all('sealed')}::bytea[], ${all('end')}::text[], ${all('createdAt')}::timestamptz[],
        ${all('seenAt')}::timestamptz[])
      as g (id, class, tag, name, channel, claim_code, hash, sealed, key_end, created_at, seen_at)),
    made as (
      insert into devices (project_id, id, device_class, tag, name, channel, claim_code, key_hash, key_sealed,
        key_end, created_at)
      select project.id, g.id, g.class, g.tag, g.name, g.channel, g.claim_code, g.hash,
        case when not project.forget_device_keys then g.sealed end, g.key_end, g.created_at
      from given g cross join project
      on conflict (project_id, claim_code) where claim_code is not null do nothing
      returning project_id, id, device_class)
    insert into device_presence (project_id, device_id, device_class, seen_at, since, reason)
    select m.project_id, m.id, m.device_class, g.seen_at, g.seen_at, case when g.seen_at is not null then 'CLOSED' end
    from made m join given g on g.id = m.id`);
}
