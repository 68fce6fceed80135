import { isFinished, takesValue } from './condition.ts';
import type { Sentence } from './sentence.ts';
import { valueName } from './words.ts';

/** The part of a sentence that is asked for next, and the field in which it is chosen. */
export interface Missing {
  slot: string;
  says: string;
}

/** The first part that is missing; undefined if the sentence is complete. `unfit` are the numbers of unfinished actions. */
export function missingIn(
  { starts, tests }: Sentence,
  actions: { count: number; unfit: ReadonlySet<number> },
): Missing | undefined {
  if ('events' in starts && starts.events.length === 0)
    return { slot: 'start', says: 'Choose what starts it' };
  const at = tests.findIndex(test => !isFinished(test));
  const test = tests[at];
  if (test && test.left === undefined) return { slot: `left${at}`, says: 'Choose what to compare' };
  if (test?.op && takesValue(test.op))
    return { slot: `value${at}`, says: `Enter what ${valueName(test.left ?? '')} is compared with` };
  if (actions.count === 0) return { slot: 'addAction', says: 'Choose what it does' };
  const [unfit] = [...actions.unfit].sort((a, b) => a - b);
  return unfit === undefined ? undefined : { slot: `action${unfit}`, says: 'Complete what it does' };
}
