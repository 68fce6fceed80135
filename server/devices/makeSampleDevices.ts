import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import { keepKey, makeClaimCode, makeDeviceKey } from './keys.ts';
import { sampleClasses, sampleDevices } from './sampleDevices.ts';

/** Fills a project that was made in the same transaction. Two statements: a sign-up is not to wait for it. */
export async function makeSampleDevices(
  db: Db,
  platform: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, now }: { projectId: string; now: Date },
): Promise<void> {
  await insertClasses(db, projectId, now);
  const rows = sampleDevices.map((device, i) => {
    // A millisecond apart, so that a list by their time has them in this order.
    const createdAt = new Date(now.getTime() - sampleDevices.length + i);
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
        ${rows.map(row => row.key.end)}::text[], ${rows.map(row => row.createdAt)}::timestamptz[],
        ${rows.map(row => JSON.stringify(row.reported))}::jsonb[])
      as g (id, class, tag, name, description, claim_code, hash, sealed, key_end, created_at, reported)),
    made as (
      insert into devices (project_id, id, device_class, tag, name, description, claim_code, key_hash, key_sealed,
        key_end, created_at)
      select ${projectId}, id, class, tag, name, description, claim_code, hash, sealed, key_end, created_at from given
      returning id),
    present as (
      insert into device_presence (project_id, device_id, device_class) select ${projectId}, id, class from given)
    insert into device_states (project_id, device_id, reported)
    select ${projectId}, id, reported from given where reported <> '{}'`);
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
