import type { Key } from '#contract/key.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

type Time = 'secretCreatedAt' | 'createdAt';
type TimeIfAny = 'expiresAt' | 'lastUsedAt' | 'adviceSnoozedUntil';

export type KeyRow = Omit<Key, Time | TimeIfAny | 'secret' | 'previousSecret' | 'lastUsedFrom'> &
  Record<Time, Date> &
  Record<TimeIfAny, Date | null> & {
    lastUsedFrom: string | null;
    previousEnd: string | null;
    /** Null if there is no previous secret that still works. */
    previousUntil: Date | null;
    previousUses: number;
    previousUsedAt: Date | null;
    previousUsedFrom: string | null;
  };

/** All columns but the hashes of the secrets. */
export const keyColumns = (now: Date): Sql => sql`
  k.id, k.project_id as "projectId", k.name, k.description, k.suspended, k.can_send_commands as "canSendCommands",
  k.can_send_events as "canSendEvents", k.can_handle_byou as "canHandleBYOU",
  k.can_update_kv_stores as "canUpdateKVStores", k.can_admin as "canAdmin", k.secret_end as "secretEnd",
  k.secret_created_at as "secretCreatedAt", k.addresses, k.expires_at as "expiresAt",
  k.last_used_at as "lastUsedAt", k.last_used_from as "lastUsedFrom",
  k.advice_snoozed_until as "adviceSnoozedUntil", k.created_at as "createdAt", k.created_by as "createdBy", k.revision,
  k.previous_end as "previousEnd", case when k.previous_until > ${now} then k.previous_until end as "previousUntil",
  k.previous_uses::float8 as "previousUses", k.previous_used_at as "previousUsedAt",
  k.previous_used_from as "previousUsedFrom"`;

export function toKey(row: KeyRow): Key {
  const { previousEnd, previousUntil, previousUses, previousUsedAt, previousUsedFrom, ...rest } = row;
  const { secretCreatedAt, createdAt, expiresAt, lastUsedAt, adviceSnoozedUntil, lastUsedFrom, ...key } =
    rest;
  return {
    ...key,
    secretCreatedAt: secretCreatedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(lastUsedFrom !== null && { lastUsedFrom }),
    ...(adviceSnoozedUntil && { adviceSnoozedUntil: adviceSnoozedUntil.toISOString() }),
    ...(previousEnd !== null &&
      previousUntil && {
        previousSecret: {
          end: previousEnd,
          until: previousUntil.toISOString(),
          uses: previousUses,
          ...(previousUsedAt && { lastUsedAt: previousUsedAt.toISOString() }),
          ...(previousUsedFrom !== null && { lastUsedFrom: previousUsedFrom }),
        },
      }),
  };
}
