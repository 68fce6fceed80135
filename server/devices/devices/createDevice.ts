import { defaultChannel } from '#contract/channel.ts';
import type { createDevice, Device } from '#contract/device.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { makeClaimCode, makeDeviceKey, storableKey } from '#server/devices/keys/keys.ts';
import { unknownChannel } from '#server/firmware/channels/mustHaveChannel.ts';
import { assignTargets } from '#server/firmware/targets/assignTargets.ts';
import { unknownBundle } from '#server/firmware/targets/mustHaveBundle.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { channelKept } from './device.ts';

/**
 * Attempts to find an unused claim code: with a million codes in use, a collision has a chance of one in eight
 * hundred million.
 */
const triesMax = 5;

interface Made {
  /** Null: the project or class does not exist. */
  projectId: string | null;
  deviceClass: string | null;
  hasChannel: boolean;
  /** Whether the device follows an existing channel, its own or `stable`. If not, it has no target yet. */
  follows: boolean;
  hasBundle: boolean;
  bundleName: string | null;
  id: string | null;
  keyReadable: boolean;
}

/** Creates a device with its presence row; the result contains the key. */
export async function createOne(
  { db, body, now, platform }: Pick<Call<typeof createDevice>, 'db' | 'body' | 'now' | 'platform'>,
  codes = makeClaimCode,
): Promise<Device> {
  const id = platform.newId('dev');
  const apiKey = makeDeviceKey();
  const { tag, deviceClass, name = '', description = '', channel = '', bundleInstalled } = body;
  const row = { tag, name, description, deviceClass, channel: channelKept(channel) };
  const key = storableKey(platform.sealing, apiKey);
  for (let i = 0; i < triesMax; i++) {
    const claimCode = codes();
    const given = { ...row, id, projectId: body.projectId, bundleInstalled, claimCode, key, now };
    const made = await insertDevice(db, given);
    if (made?.projectId === null) throw new Problem('PROJECT_NOT_FOUND');
    if (made?.deviceClass === null) throw new Problem('DEVICE_CLASS_NOT_FOUND');
    if (made && !made.hasChannel) throw unknownChannel();
    if (made && !made.hasBundle) throw unknownBundle('bundleInstalled');
    if (!made?.id) continue;
    if (made.follows) await assignTargets(db, body.projectId, [id], now);
    return {
      id,
      projectId: body.projectId,
      ...row,
      claimCode,
      claimed: false,
      suspended: false,
      ...(bundleInstalled !== undefined && { bundleInstalled }),
      ...(made.bundleName !== null && { bundleInstalledName: made.bundleName }),
      connectionStatus: 'never',
      connection: {},
      apiKey,
      apiKeyEnd: key.end,
      apiKeyReadable: made.keyReadable,
      creationTime: now.toISOString(),
      revision: 1,
    };
  }
  throw new Error('No unused claim code was found.');
}

interface NewDevice {
  id: string;
  projectId: string;
  deviceClass: string;
  tag: string;
  name: string;
  description: string;
  channel: string;
  bundleInstalled: string | undefined;
  claimCode: string;
  key: ReturnType<typeof storableKey>;
  now: Date;
}

/**
 * One statement. It locks the row of the project, so that its key storage setting cannot change meanwhile, the rows of
 * the class and the bundle, so that they cannot be deleted, and the row of the channel, so that it cannot be pointed at
 * another bundle. If the result has no `id`, the claim code is taken.
 */
function insertDevice(db: Db, d: NewDevice): Promise<Made | undefined> {
  return db.one<Made>(sql`
    with project as (
      select id, forget_device_keys from projects where id = ${d.projectId} and deleted_at is null for share),
    class as (
      select c.project_id, c.id from device_classes c join project on project.id = c.project_id
      where c.id = ${d.deviceClass} for key share of c),
    channel as (
      select 1 from channels c join class on class.project_id = c.project_id and class.id = c.device_class
      where c.name = ${d.channel || defaultChannel} for share of c),
    bundle as (
      select b.name from bundles b join class on class.project_id = b.project_id and class.id = b.device_class
      where b.id = ${d.bundleInstalled ?? null} for key share of b),
    known as (
      select ${d.channel} = '' or exists (select from channel) as channel,
        ${d.bundleInstalled ?? null}::text is null or exists (select from bundle) as bundle),
    made as (
      insert into devices (project_id, id, device_class, tag, name, description, channel, bundle_installed,
        claim_code, key_hash, key_sealed, key_end, created_at)
      select project.id, ${d.id}, class.id, ${d.tag}, ${d.name}, ${d.description}, ${d.channel},
        ${d.bundleInstalled ?? null}, ${d.claimCode}, ${d.key.hash},
        case when not project.forget_device_keys then ${d.key.sealed}::bytea end, ${d.key.end}, ${d.now}
      from project join class on class.project_id = project.id join known on known.channel and known.bundle
      on conflict (project_id, claim_code) where claim_code is not null do nothing
      returning project_id, id, device_class, key_sealed is not null as readable),
    present as (
      insert into device_presence (project_id, device_id, device_class)
      select project_id, id, device_class from made)
    select project.id as "projectId", class.id as "deviceClass", known.channel as "hasChannel",
      known.bundle as "hasBundle", (select name from bundle) as "bundleName", exists (select from channel) as follows,
      made.id, made.readable as "keyReadable"
    from known left join project on true left join class on true left join made on true`);
}
