import { type Db, sql } from '#server/db/sql.ts';
import { keepKey, makeClaimCode, makeDeviceKey } from '#server/deviceKeys/keys.ts';
import type { Platform } from '#server/platform.ts';
import type { Slice } from '#server/slice.ts';
import { hoursAgo, makeSamplePast } from './makeSamplePast.ts';
import { type SampleDevice, sampleClasses, sampleDevices, sampleMadeHoursAgo } from './sampleDevices.ts';

export const sampleDevicesSlice: Slice = { sample: makeSampleDevices };

/** Fills a project that was made in the same transaction. Few statements: a sign-up is not to wait for it. */
async function makeSampleDevices(
  db: Db,
  platform: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, now }: { projectId: string; now: Date },
): Promise<void> {
  await insertClasses(db, projectId, hoursAgo(now, sampleMadeHoursAgo));
  const rows = sampleDevices.map((device, i) => {
    // A millisecond apart, so that a list by their time has them in this order.
    const createdAt = new Date(hoursAgo(now, sampleMadeHoursAgo).getTime() + i);
    const key = keepKey(platform.sealing, makeDeviceKey());
    return { ...device, id: platform.newId('dev', createdAt), claimCode: makeClaimCode(), key, createdAt };
  });
  await db.run(sql`
    with given as (
      select * from unnest(
        ${rows.map(row => row.id)}::text[], ${rows.map(row => row.deviceClass)}::text[],
        ${rows.map(row => row.tag)}::text[], ${rows.map(row => row.name)}::text[],
        ${rows.map(row => row.description)}::text[], ${rows.map(row => row.claimCode)}::text[],
        ${rows.map(row => row.key.hash)}::bytea[], ${rows.map(row => row.key.sealed)}::bytea[],
        ${rows.map(row => row.key.end)}::text[], ${rows.map(row => row.createdAt)}::timestamptz[])
      as g (id, class, tag, name, description, claim_code, hash, sealed, key_end, created_at))
    insert into devices (project_id, id, device_class, tag, name, description, claim_code, key_hash, key_sealed,
      key_end, created_at)
    select ${projectId}, id, class, tag, name, description, claim_code, hash, sealed, key_end, created_at
    from given`);
  await insertLife(db, { projectId, now }, rows);
  await makeSamplePast(db, platform, { projectId, now }, rows);
}

/** What stands beside the devices: how they were last seen, and what they said they are like. */
async function insertLife(
  db: Db,
  { projectId, now }: { projectId: string; now: Date },
  devices: readonly (SampleDevice & { id: string })[],
): Promise<void> {
  const rows = devices.map(({ id, deviceClass, reported, past }) => {
    const last = past?.connections.at(-1);
    const at = (hours: number | undefined) => (hours === undefined ? null : hoursAgo(now, hours));
    return {
      ...{ id, deviceClass, reported: JSON.stringify(reported), reason: last?.reason ?? null },
      ...{ address: past?.address ?? null, protocol: past ? 'mqtt' : null },
      ...{ seenAt: at(last?.to), reportedAt: at(past?.reported) },
      messageAt: at(past && Math.min(past.reported, ...past.events.map(({ ago }) => ago))),
    };
  });
  await db.run(sql`
    with given as (
      select * from unnest(
        ${rows.map(row => row.id)}::text[], ${rows.map(row => row.deviceClass)}::text[],
        ${rows.map(row => row.reason)}::text[], ${rows.map(row => row.address)}::text[],
        ${rows.map(row => row.protocol)}::text[], ${rows.map(row => row.seenAt)}::timestamptz[],
        ${rows.map(row => row.messageAt)}::timestamptz[], ${rows.map(row => row.reported)}::jsonb[],
        ${rows.map(row => row.reportedAt)}::timestamptz[])
      as g (id, class, reason, address, protocol, seen_at, message_at, reported, reported_at)),
    present as (
      insert into device_presence (project_id, device_id, device_class, seen_at, since, reason, address, protocol,
        last_message_at)
      select ${projectId}, id, class, seen_at, seen_at, reason, address, protocol, message_at from given)
    insert into device_states (project_id, device_id, reported, reported_at)
    select ${projectId}, id, reported, reported_at from given where reported_at is not null`);
}

async function insertClasses(db: Db, projectId: string, now: Date): Promise<void> {
  const pairs = sampleClasses.flatMap(({ id, kv }) =>
    Object.entries(kv).map(([key, value]) => ({ id, key, value: JSON.stringify(value) })),
  );
  const texts = (name: 'stateSchema' | 'eventSchemas' | 'commandSchemas') =>
    sampleClasses.map(one => JSON.stringify(one[name]));
  await db.run(sql`
    with made as (
      insert into device_classes
        (project_id, id, description, state_schema, event_schemas, command_schemas, created_at)
      select ${projectId}, id, description, state, events, commands, ${now} from unnest(
        ${sampleClasses.map(({ id }) => id)}::text[], ${sampleClasses.map(one => one.description)}::text[],
        ${texts('stateSchema')}::json[], ${texts('eventSchemas')}::json[], ${texts('commandSchemas')}::json[])
      as given (id, description, state, events, commands))
    insert into device_class_kv (project_id, device_class, key, value, updated_at)
    select ${projectId}, id, key, value, ${now} from unnest(
      ${pairs.map(({ id }) => id)}::text[], ${pairs.map(({ key }) => key)}::text[],
      ${pairs.map(({ value }) => value)}::json[]) as given (id, key, value)`);
}
