import { setTimeout as pause } from 'node:timers/promises';
import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Choice, Chosen, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { keyOf } from './moduleRegistry.ts';

const chooseMaxMs = 20_000;
const undecided = 'The condition could not be evaluated';

/**
 * Decides for which of these events a type runs. If that fails, each module is asked separately, so that only the
 * failing module gets `error` for its events.
 */
export async function chooseHits(
  db: Db,
  platform: Platform,
  type: ModuleType,
  all: readonly Chosen[],
  withinMs = chooseMaxMs,
): Promise<Choice[]> {
  if (!type.choose) return all.map(() => ({ hit: true }));
  const together = await attempt(db, () => choose(db, platform, type, { all, withinMs }));
  if (together) return together;
  const choices = new Map<Chosen, Choice>();
  const byModule = Map.groupBy(all, ({ module }) => keyOf(module));
  for (const some of byModule.values()) {
    const alone = await attempt(db, () => choose(db, platform, type, { all: some, withinMs }));
    if (!alone) platform.log('warn', 'A smart module could not decide', { module: some[0]?.module.id });
    for (const [at, one] of some.entries()) choices.set(one, alone?.[at] ?? { error: undecided });
  }
  return all.map(one => choices.get(one) ?? { error: undecided });
}

async function choose(
  db: Db,
  platform: Platform,
  type: ModuleType,
  { all, withinMs }: { all: readonly Chosen[]; withinMs: number },
): Promise<Choice[]> {
  const ended = new AbortController();
  const timeIsUp = pause(withinMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`Nothing was decided within ${withinMs / 1000} s`);
  });
  try {
    const choices = await Promise.race([type.choose?.(all, platform, until(db, ended.signal)), timeIsUp]);
    if (choices?.length !== all.length) throw new Error('Not every event was decided');
    return choices;
  } finally {
    timeIsUp.catch(() => undefined);
    ended.abort();
  }
}

/** Refuses queries after the end: the transaction itself goes on, and would store part of what was rolled back. */
function until(db: Db, end: AbortSignal): Db {
  return {
    async one<T>(query: Sql) {
      end.throwIfAborted();
      return db.one<T>(query);
    },
    async many<T>(query: Sql) {
      end.throwIfAborted();
      return db.many<T>(query);
    },
    async run(query) {
      end.throwIfAborted();
      return db.run(query);
    },
  };
}

/** Runs work in a savepoint: if it fails, the transaction continues without its changes. */
async function attempt<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  const point = raw('choosing');
  await db.run(sql`savepoint ${point}`);
  try {
    const result = await work();
    await db.run(sql`release savepoint ${point}`);
    return result;
  } catch {
    await db.run(sql`rollback to savepoint ${point}`);
    return undefined;
  }
}
