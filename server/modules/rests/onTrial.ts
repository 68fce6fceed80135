import type { Platform } from '#server/infra/platform.ts';
import { addStrike, keyOf, type ModuleKey, takeStrikeBack } from './store.ts';

/** What a module is said to have done if nobody is left to tell more. */
const endedAll = 'The process that evaluated its expression ended';

/** The modules that are evaluated although they are said to rest, and whether they earned their strike. */
const trials = new Map<string, { isEarned: boolean }>();

export const isOnTrial = (module: ModuleKey) => trials.has(keyOf(module));

/** The strike that was stored before is not taken back. */
export function earnStrike(module: ModuleKey): void {
  const trial = trials.get(keyOf(module));
  if (trial) trial.isEarned = true;
}

/**
 * Evaluates something that may end this process. The strike is stored before, and taken back after: if the process
 * ends, the next one finds the module resting, and does not end as well.
 */
export async function onTrial<T>(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  modules: readonly ModuleKey[],
  work: () => Promise<T>,
): Promise<T> {
  const begun = modules.filter(module => !isOnTrial(module));
  for (const module of begun) {
    trials.set(keyOf(module), { isEarned: false });
    await addStrike(db, module, { because: endedAll, now: clock() });
  }
  try {
    return await work();
  } finally {
    for (const module of begun) {
      const isEarned = trials.get(keyOf(module))?.isEarned;
      trials.delete(keyOf(module));
      if (!isEarned) await takeStrikeBack(db, module, clock());
    }
  }
}
