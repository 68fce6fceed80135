import { dayMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** A clock that jumps further ahead than this is not trusted: housekeeping looks at it every hour. */
const jumpMs = dayMs;
/** A clock that was ahead for so long, and never jumped again, was behind before, or the platform was stopped. */
const waitMs = dayMs;

interface Kept {
  trustedAt: Date;
  lookedAt: Date;
  aheadSince: Date | null;
}

const columns = sql`trusted_at as "trustedAt", looked_at as "lookedAt", ahead_since as "aheadSince"`;

/**
 * The time by which expired data is deleted. Usually now. If the clock has jumped ahead, it is the last time that was
 * trusted, until the operator confirms the clock or a day has passed: deleted data does not come back with the right
 * time.
 */
export async function retentionTime({
  db,
  clock,
  log,
}: Pick<Platform, 'db' | 'clock' | 'log'>): Promise<Date> {
  const now = clock();
  const kept = await db.tx(async tx => {
    const before = await lockClock(tx, now);
    const after = looked(before, now);
    await tx.run(sql`
      update retention_clock set trusted_at = ${after.trustedAt}, looked_at = ${after.lookedAt}, ahead_since = ${after.aheadSince}`);
    return after;
  });
  if (kept.aheadSince)
    log('error', 'The clock has jumped ahead, so nothing is deleted by its age', {
      now: now.toISOString(),
      trusted: kept.trustedAt.toISOString(),
      do: 'Correct the clock, or run `mooring clock confirm` if it is right.',
    });
  return kept.trustedAt;
}

/** What the next look at the clock leads to. */
export function looked({ trustedAt, lookedAt, aheadSince }: Kept, now: Date): Kept {
  const isAhead = now.getTime() - trustedAt.getTime() > jumpMs;
  if (!isAhead) return { trustedAt: now, lookedAt: now, aheadSince: null };
  const jumpedAgain = Math.abs(now.getTime() - lookedAt.getTime()) > jumpMs;
  if (aheadSince === null || jumpedAgain) return { trustedAt, lookedAt: now, aheadSince: now };
  const isLong = now.getTime() - aheadSince.getTime() >= waitMs;
  return isLong
    ? { trustedAt: now, lookedAt: now, aheadSince: null }
    : { trustedAt, lookedAt: now, aheadSince };
}

/** The operator says that the clock is right. */
export async function confirmClock({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<Date> {
  const now = clock();
  await db.run(sql`
    insert into retention_clock (trusted_at, looked_at) values (${now}, ${now})
    on conflict (is_only) do update set trusted_at = excluded.trusted_at, looked_at = excluded.looked_at, ahead_since = null`);
  return now;
}

/** Since when the clock has been ahead of the last time that was trusted. */
export async function aheadSince(db: Db): Promise<{ trustedAt: Date; aheadSince: Date } | undefined> {
  return db.one<{ trustedAt: Date; aheadSince: Date }>(sql`
    select ${columns} from retention_clock where ahead_since is not null`);
}

/** The first look trusts the clock: a new database has nothing to lose. */
async function lockClock(db: Db, now: Date): Promise<Kept> {
  await db.run(sql`
    insert into retention_clock (trusted_at, looked_at) values (${now}, ${now}) on conflict do nothing`);
  const row = await db.one<Kept>(sql`select ${columns} from retention_clock for update`);
  if (!row) throw new Error('retention_clock has lost its row.');
  return row;
}
