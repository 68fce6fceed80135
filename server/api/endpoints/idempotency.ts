import type { FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Slice } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import type { Door } from './apiDoor.ts';
import type { Call } from './route.ts';

/** The key under which the answer to a call is stored for retries. */
export interface StoredBy {
  caller: string;
  key: string;
  request: string;
  now: Date;
  sealing: Sealing;
}

/** Undefined: the answer to this call is not stored. */
export function storedBy(call: Call, request: FastifyRequest, door: Door): StoredBy | undefined {
  const { endpoint, platform, now } = call;
  // Idempotency keys belong to a caller.
  const caller = door.idempotencyOwner(call);
  const key = request.headers['idempotency-key'];
  if (endpoint.method !== 'POST' || typeof key !== 'string' || caller === undefined) return undefined;
  // A download is not stored for replay; sending it again changes nothing.
  if (endpoint.raw || endpoint.ownIdempotency) return undefined;
  return { caller, key: keyText(key), request: requestText(request), now, sealing: platform.sealing };
}

interface Kept {
  requestHash: Buffer;
  answer: Buffer;
}

/**
 * Runs `work` once per idempotency key. A retry waits for the first request (its row is locked until commit)
 * and returns the same answer. Call inside the transaction of the work, so that a failure releases the key.
 */
export async function once(db: Db, stored: StoredBy, work: () => Promise<unknown>): Promise<unknown> {
  const { caller, key, now, sealing } = stored;
  const inserted = await db.run(sql`
    insert into idempotency_keys (caller, key, request_hash, created_at)
    values (${caller}, ${key}, ${hashOf(stored)}, ${now}) on conflict do nothing`);
  if (!inserted) {
    const first = await answerOf(db, stored);
    if (!first) throw new Problem('IDEMPOTENCY_KEY_REUSED');
    return first.answer;
  }
  const answer = await work();
  await db.run(sql`
    update idempotency_keys set answer = ${sealing.seal(JSON.stringify(answer ?? null))}
    where caller = ${caller} and key = ${key}`);
  return answer;
}

/** The answer to the first request with this key; undefined if there was none, or it is still running. */
export async function answerOf(db: Db, stored: StoredBy): Promise<{ answer: unknown } | undefined> {
  const kept = await db.one<Kept>(sql`
    select request_hash as "requestHash", answer from idempotency_keys
    where caller = ${stored.caller} and key = ${stored.key}`);
  if (!kept) return undefined;
  if (!kept.requestHash.equals(hashOf(stored))) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return { answer: JSON.parse(stored.sealing.open(kept.answer)) ?? undefined };
}

/** Keyed (HMAC), because a request can contain a password, and a plain hash would let it be guessed. */
const hashOf = ({ sealing, request }: StoredBy) => sealing.mac(request);

/** The key of a call whose handler ensures idempotency itself. */
export function keyOf({ ownIdempotency }: AnyEndpoint, { headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return ownIdempotency && typeof key === 'string' ? keyText(key) : undefined;
}

function keyText(key: string): string {
  if (key.length === 0 || key.length > 200)
    throw new Problem('INVALID_FIELDS', { fields: { 'Idempotency-Key': 'INVALID' } });
  return key;
}

function requestText(request: FastifyRequest): string {
  return `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`;
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
