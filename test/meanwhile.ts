import { sql } from '#server/infra/db/sql.ts';
import { untilWaiting } from './untilWaiting.ts';
import { unique, type World } from './world.ts';

interface Held<T> {
  /** The owner of the idempotency key; see `idempotencyOwner` of the door. */
  caller: string;
  call: (idempotencyKey: string) => Promise<T>;
  change: () => Promise<unknown>;
}

/**
 * Makes a change between the preparation of a call and its transaction. The transaction is held up by an idempotency
 * key that another transaction has inserted, and then deletes.
 */
export async function meanwhile<T>(world: World, { caller, call, change }: Held<T>): Promise<T> {
  const key = unique('key');
  const isHeld = Promise.withResolvers<void>();
  const isDone = Promise.withResolvers<void>();
  const holding = world.platform.db.tx(async tx => {
    await tx.run(sql`
      insert into idempotency_keys (caller, key, request_hash, created_at) values (${caller}, ${key}, '', now())`);
    isHeld.resolve();
    await isDone.promise;
    await tx.run(sql`delete from idempotency_keys where caller = ${caller} and key = ${key}`);
  });
  await isHeld.promise;
  const answer = call(key);
  // The promise is awaited later; until then, its rejection must not be reported as unhandled.
  answer.catch(() => undefined);
  try {
    await untilWaiting(world, 1);
    await change();
  } finally {
    isDone.resolve();
  }
  await holding;
  return answer;
}
