import { createHash } from 'node:crypto';
import { makeClaimCode } from '#server/devices/keys/keys.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Which home devices are added to, by whom and how. */
export interface Coming {
  projectId: string;
  homeId: string;
  /** Absent if not by an end user. */
  userId?: string;
  how: 'claim' | 'onDemand' | 'added';
  now: Date;
}

/** A device that left its home. */
export interface Left {
  id: string;
  deviceClass: string;
  ownedSince: Date;
  claimCode: string;
}

const triesMax = 5;
const hashOf = (code: string) => createHash('sha256').update(code).digest();

/**
 * One statement, so that only one of several concurrent claims of a code gets the device. A code that was already
 * claimed for this home is a retry of a request whose answer was lost.
 */
export async function claimByCode(
  db: Db,
  { projectId, homeId, userId, now }: Omit<Coming, 'how'>,
  code: string,
): Promise<string | undefined> {
  const claimed = await db.one<{ id: string }>(sql`
    update devices set home_id = ${homeId}, owned_since = ${now}, claimed_by = ${userId}, claimed_how = 'claim',
      claimed_with = ${hashOf(code)}, claim_code = null, revision = revision + 1
    where project_id = ${projectId} and claim_code = ${code} and home_id is null returning id`);
  return claimed?.id ?? claimedAs(db, { projectId, homeId }, code);
}

/** The device that this home already claimed with the code. */
export async function claimedAs(
  db: Db,
  { projectId, homeId }: Pick<Coming, 'projectId' | 'homeId'>,
  code: string,
): Promise<string | undefined> {
  const found = await db.one<{ id: string }>(sql`
    select id from devices
    where project_id = ${projectId} and home_id = ${homeId} and claimed_with = ${hashOf(code)} limit 1`);
  return found?.id;
}

/** Adds a device without a home to one. Returns false if it has a home, or does not exist. */
export async function putIntoHome(
  db: Db,
  { projectId, homeId, userId, how, now }: Coming,
  deviceId: string,
): Promise<boolean> {
  const put = await db.run(sql`
    update devices set home_id = ${homeId}, owned_since = ${now}, claimed_by = ${userId ?? null}, claimed_how = ${how},
      claim_code = null, revision = revision + 1
    where project_id = ${projectId} and id = ${deviceId} and home_id is null`);
  return put > 0;
}

/** Removes devices from their homes and gives each a new claim code; devices without a home are skipped. */
export async function takeFromHomes(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
): Promise<Left[]> {
  const there = await db.many<Omit<Left, 'claimCode'>>(sql`
    select id, device_class as "deviceClass", owned_since as "ownedSince" from devices
    where project_id = ${projectId} and id = any(${deviceIds}) and home_id is not null
    order by id for no key update`);
  const codes = await freeCodes(db, projectId, there.length);
  const left = there.map((device, at) => ({ ...device, claimCode: codes[at] ?? '' }));
  await db.run(sql`
    update devices d set home_id = null, owned_since = null, claimed_by = null, claimed_how = null,
      claimed_with = null, claim_code = given.code, name = coalesce(d.name_before, d.name), name_before = null,
      revision = d.revision + 1
    from unnest(${left.map(({ id }) => id)}::text[], ${left.map(({ claimCode }) => claimCode)}::text[])
      as given (id, code)
    where d.project_id = ${projectId} and d.id = given.id`);
  return left;
}

/** Only a first check: the unique index rejects a code that is taken concurrently. */
async function freeCodes(db: Db, projectId: string, count: number): Promise<string[]> {
  const free = new Set<string>();
  for (let i = 0; i < triesMax && free.size < count; i++) {
    const made = Array.from({ length: count - free.size }, makeClaimCode);
    const taken = await db.many<{ code: string }>(sql`
      select claim_code as code from devices where project_id = ${projectId} and claim_code = any(${made})`);
    for (const code of made) if (!taken.some(one => one.code === code)) free.add(code);
  }
  if (free.size < count) throw new Error('No unused claim codes were found.');
  return [...free];
}

/** Renames a device until it leaves its home. */
export function renameInHome(db: Db, projectId: string, deviceId: string, name: string): Promise<number> {
  return db.run(sql`
    update devices set name = ${name}, name_before = coalesce(name_before, name), revision = revision + 1
    where project_id = ${projectId} and id = ${deviceId}`);
}

/** An unused claim code; see `freeCodes`. */
export async function freeClaimCode(db: Db, projectId: string): Promise<string> {
  const [code = ''] = await freeCodes(db, projectId, 1);
  return code;
}
