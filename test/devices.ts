import { createDevice, type Device, editDevice } from '#contract/device.ts';
import { createDeviceClass, type DeviceClass } from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type SignedIn, unique, type World } from './world.ts';

/** A class of the project, created through the API. */
export function aClass(
  { client }: Pick<SignedIn, 'client'>,
  projectId: string,
  given: Partial<BodyOf<typeof createDeviceClass>> = {},
): Promise<DeviceClass> {
  return client.call(createDeviceClass, { params: { projectId }, body: { id: unique('class'), ...given } });
}

/** A device; by default in a new class. The answer contains its key. An empty tag is taken away after the creation. */
export async function aDevice(
  owner: Pick<SignedIn, 'client'>,
  projectId: string,
  given: Partial<BodyOf<typeof createDevice>> = {},
): Promise<Device & { apiKey: string }> {
  const deviceClass = given.deviceClass ?? (await aClass(owner, projectId)).id;
  const body = { projectId, ...given, tag: given.tag || unique('tag'), deviceClass };
  const { apiKey = '', ...made } = await owner.client.call(createDevice, { body });
  if (given.tag !== '') return { ...made, apiKey };
  const params = { deviceId: made.id };
  return { ...(await owner.client.call(editDevice, { params, body: { tag: '' } })), apiKey };
}

/** Inserts many devices of a class directly into the tables; returns their ids in order. */
export async function manyDevices(
  { platform }: World,
  projectId: string,
  deviceClass: string,
  count: number,
): Promise<string[]> {
  const now = platform.clock();
  const ids = Array.from({ length: count }, () => platform.newId('dev', now)).sort();
  await platform.db.run(sql`
    insert into devices (project_id, id, device_class, tag, claim_code, key_hash, key_sealed, key_end, created_at)
    select ${projectId}, id, ${deviceClass}, 'tag ' || n, upper(right(id, 10)), '', ${platform.sealing.seal('A'.repeat(32))},
      'AAAA', ${now}
    from unnest(${ids}::text[]) with ordinality as made (id, n)`);
  await platform.db.run(sql`
    insert into device_presence (project_id, device_id, device_class)
    select project_id, id, device_class from devices where project_id = ${projectId} and id = any(${ids})`);
  return ids;
}
