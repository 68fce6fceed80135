import type { Capability } from '#contract/endpoint.ts';
import { capabilities } from '#contract/endpoint.ts';
import { sql } from '#server/db/sql.ts';
import type { KeyCaller } from '#server/endpoints/apiDoor.ts';
import type { Platform } from '#server/platform.ts';
import { hashToken } from '#server/sessions/session.ts';

export interface FoundKey extends KeyCaller {
  capabilities: readonly Capability[];
  isAddressAllowed: boolean;
}

/** The key of a secret, current or previous; undefined where it is wrong, suspended or expired. */
export async function findKey(
  { db }: Platform,
  { secret, now }: { secret: string; address: string; now: Date },
): Promise<FoundKey | undefined> {
  const hash = hashToken(secret);
  const row = await db.one<KeyCaller & { flags: boolean[] }>(sql`
    select k.id, k.name, k.project_id as "projectId", p.org_id as "orgId",
      array[k.can_send_commands, k.can_send_events, k.can_handle_byou, k.can_update_kv_stores, k.can_admin] as flags
    from keys k join projects p on p.id = k.project_id and p.deleted_at is null
    where (k.secret_hash = ${hash} or (k.previous_hash = ${hash} and k.previous_until > ${now}))
      and not k.suspended and (k.expires_at is null or k.expires_at > ${now})`);
  if (!row) return undefined;
  const { flags, ...key } = row;
  return { ...key, capabilities: capabilities.filter((_, at) => flags[at]), isAddressAllowed: true };
}
