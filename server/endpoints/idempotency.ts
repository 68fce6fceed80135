import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { batch, daysBefore } from '#server/jobs/housekeeping.ts';
import type { Sealing } from '#server/sealing.ts';
import type { Slice } from '#server/slice.ts';

interface Kept {
  requestHash: Buffer;
  answer: Buffer;
}

/**
 * Runs `work` once per idempotency key. A retry waits for the first request (its row is locked until commit)
 * and returns the same answer. Call inside the transaction of the work, so that a failure releases the key.
 */
export async function once(
  db: Db,
  asked: { caller: string; key: string; request: string; now: Date; sealing: Sealing },
  work: () => Promise<unknown>,
): Promise<unknown> {
  // Keyed (HMAC), because a request can contain a password, and a plain hash would let it be guessed.
  const hash = asked.sealing.mac(asked.request);
  const inserted = await db.run(sql`
    insert into idempotency_keys (caller, key, request_hash, created_at)
    values (${asked.caller}, ${asked.key}, ${hash}, ${asked.now}) on conflict do nothing`);
  if (inserted) {
    const answer = await work();
    await db.run(sql`
      update idempotency_keys set answer = ${asked.sealing.seal(JSON.stringify(answer ?? null))}
      where caller = ${asked.caller} and key = ${asked.key}`);
    return answer;
  }
  const kept = await db.one<Kept>(sql`
    select request_hash as "requestHash", answer from idempotency_keys
    where caller = ${asked.caller} and key = ${asked.key}`);
  if (!kept?.requestHash.equals(hash)) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(asked.sealing.open(kept.answer)) ?? undefined;
}

export const idempotency: Slice = {
  platformTables: { idempotency_keys: 'The stored response to a call with an Idempotency-Key.' },
  chores: [
    {
      name: 'idempotency keys',
      deletes: now => sql`
        delete from idempotency_keys where (caller, key) in (
          select caller, key from idempotency_keys where created_at < ${daysBefore(now, 1)} limit ${batch}) returning 1`,
    },
  ],
};
