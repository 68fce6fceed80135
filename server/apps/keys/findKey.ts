import { type Capability, capabilities } from '#contract/endpoint.ts';
import type { KeyCaller } from '#server/api/endpoints/apiDoor.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { isTokenSecret } from '#server/api/sessions/tokenSecret.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { amongNetworks } from '#server/infra/outside/addresses.ts';
import { RecentMemory } from '#server/infra/pace/recentMemory.ts';
import type { Platform } from '#server/infra/platform.ts';
import { onKeyChanged } from './keyNotices.ts';

export interface FoundKey {
  caller: KeyCaller;
  capabilities: readonly Capability[];
  /** False if the key is suspended or expired, or if this is the previous secret and its time is over. */
  isValid: boolean;
  isAddressAllowed: boolean;
  /** The hash of the previous secret, if this call uses it. */
  previousHash: Buffer | undefined;
}

interface Remembered extends Pick<FoundKey, 'caller' | 'capabilities' | 'previousHash'> {
  suspended: boolean;
  /** When the key expires or the previous secret ends, whichever is sooner. */
  endsAt: Date | null;
  isAllowedFrom: (address: string) => boolean;
}

/** How long a key is cached without querying the database, unless the bus announces a change. */
const bounds = { trustMs: 5_000, max: 10_000 };

const memories = new WeakMap<Platform, RecentMemory<Remembered>>();

function memoryOf(platform: Platform): RecentMemory<Remembered> {
  const known = memories.get(platform);
  if (known) return known;
  const memory = new RecentMemory<Remembered>(bounds);
  onKeyChanged(platform, keyId => memory.outdate(keyId));
  memories.set(platform, memory);
  return memory;
}

/** The key with this current or previous secret, including refused keys; undefined if there is none. */
export async function findKey(
  platform: Platform,
  { secret, address, now }: { secret: string; address: string; now: Date },
): Promise<FoundKey | undefined> {
  if (!isTokenSecret(secret)) return undefined;
  const hash = hashToken(secret);
  const found = await memoryOf(platform).find(hash.toString('base64'), now.getTime(), async () => {
    const value = await look(platform, hash);
    return value && { value, about: value.caller.id };
  });
  if (!found) return undefined;
  const { suspended, endsAt, isAllowedFrom, ...rest } = found;
  return {
    ...rest,
    isValid: !suspended && (endsAt === null || endsAt > now),
    isAddressAllowed: isAllowedFrom(plain(address)),
  };
}

/** The address as lists contain it: a dual-stack socket reports ::ffff:192.0.2.7. */
export const plain = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '');

interface Row extends KeyCaller, Flags {
  suspended: boolean;
  endsAt: Date | null;
  addresses: string[];
  isPrevious: boolean;
}

interface Flags {
  flags: boolean[];
}

const flags = sql`
  array[k.can_send_commands, k.can_send_events, k.can_handle_byou, k.can_update_kv_stores, k.can_admin] as flags`;

const capabilitiesOf = ({ flags }: Flags) => capabilities.filter((_, at) => flags[at]);

/** A key's capabilities, not cached; undefined if the key was deleted or suspended, or has expired. */
export async function findCapabilities(
  db: Db,
  keyId: string,
  now: Date,
): Promise<readonly Capability[] | undefined> {
  const row = await db.one<Flags>(sql`
    select ${flags} from keys k
    where k.id = ${keyId} and not k.suspended and (k.expires_at is null or k.expires_at > ${now})`);
  return row && capabilitiesOf(row);
}

async function look({ db }: Platform, hash: Buffer): Promise<Remembered | undefined> {
  const row = await db.one<Row>(sql`
    select k.id, k.name, k.project_id as "projectId", p.org_id as "orgId", p.project_call_rate as "projectCallRate", k.suspended, k.addresses, ${flags},
      k.secret_hash <> ${hash} as "isPrevious",
      least(k.expires_at, case when k.secret_hash <> ${hash} then k.previous_until end) as "endsAt"
    from keys k join projects p on p.id = k.project_id and p.deleted_at is null
    where k.secret_hash = ${hash} or k.previous_hash = ${hash}`);
  if (!row) return undefined;
  const { flags: _, suspended, endsAt, addresses, isPrevious, ...caller } = row;
  return {
    caller,
    suspended,
    endsAt,
    capabilities: capabilitiesOf(row),
    isAllowedFrom: addresses.length === 0 ? () => true : amongNetworks(addresses),
    previousHash: isPrevious ? hash : undefined,
  };
}
