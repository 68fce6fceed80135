import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '#rules/time/durations.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { keyOf } from '#server/modules/dispatch/moduleRegistry.ts';
import type { Choice, Choosing, Chosen, ModuleType } from '#server/modules/smartModules/moduleType.ts';

const chooseMaxMs = 20_000;
/** Late projects wait for each other, and nobody else for them. */
const lateMaxMs = 5 * minuteMs;
const undecided = 'The condition could not be evaluated';
const notLate: ReadonlySet<string> = new Set();

export interface How {
  isPrompt: boolean;
  withinMs?: number;
}

/**
 * Finds out for which of these events a type runs. If that fails, each module is asked separately, so that only the
 * failing module gets `error` for its events. If others wait and it takes too long, all these projects are late, where
 * each waits for itself.
 */
export async function chooseHits(
  platform: Platform,
  type: ModuleType,
  all: readonly Chosen[],
  how: How,
): Promise<Choosing> {
  if (!type.choose)
    return { late: notLate, decide: async (_db, events) => events.map(() => ({ hit: true })) };
  const { isPrompt, withinMs = isPrompt ? chooseMaxMs : lateMaxMs } = how;
  const together = await choose(platform, type, all, { isPrompt, withinMs }).catch(() => undefined);
  const alone = new Map<string, Choosing | undefined>();
  for (const [key, some] of together ? [] : byModule(all))
    alone.set(
      key,
      await choose(platform, type, some, { isPrompt, withinMs: chooseMaxMs }).catch(() => undefined),
    );
  const choosingOf = (key: string) => together ?? alone.get(key);
  return {
    late: together?.late ?? new Set([...alone.values()].flatMap(one => [...(one?.late ?? [])])),
    async decide(db, events) {
      const decided = together && (await attempt(db, together, events));
      if (decided) return decided;
      const choices = new Map<Chosen, Choice>();
      for (const [key, some] of byModule(events)) {
        const choosing = choosingOf(key);
        const decided = choosing && (await attempt(db, choosing, some));
        if (!decided) platform.log('warn', 'A smart module could not decide', { module: some[0]?.module.id });
        for (const [at, one] of some.entries()) choices.set(one, decided?.[at] ?? { error: undecided });
      }
      return events.map(one => choices.get(one) ?? { error: undecided });
    },
  };
}

const byModule = (all: readonly Chosen[]) => Map.groupBy(all, ({ module }) => keyOf(module));

async function choose(
  platform: Platform,
  type: ModuleType,
  all: readonly Chosen[],
  { isPrompt, withinMs }: Required<How>,
): Promise<Choosing | undefined> {
  const ended = new AbortController();
  const timeIsUp = pause(withinMs, undefined, { signal: ended.signal }).then(() => {
    if (isPrompt) return allLate(all);
    throw new Error(`Nothing was decided within ${withinMs / 1000} s`);
  });
  try {
    return await Promise.race([type.choose?.(all, platform, { isPrompt }), timeIsUp]);
  } finally {
    timeIsUp.catch(() => undefined);
    ended.abort();
  }
}

const allLate = (all: readonly Chosen[]): Choosing => ({
  late: new Set(all.map(({ module }) => module.projectId)),
  decide: async (_db, some) => some.map(() => ({ error: undecided })),
});

/** Decides in a savepoint: if it fails, the transaction continues without its changes. */
async function attempt(db: Db, choosing: Choosing, events: readonly Chosen[]): Promise<Choice[] | undefined> {
  const point = raw('choosing');
  await db.run(sql`savepoint ${point}`);
  try {
    const choices = await choosing.decide(db, events);
    if (choices.length !== events.length) throw new Error('Not every event was decided');
    await db.run(sql`release savepoint ${point}`);
    return choices;
  } catch {
    await db.run(sql`rollback to savepoint ${point}`);
    return undefined;
  }
}
