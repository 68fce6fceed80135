import { serveJobs } from '#server/modules/evaluator/serveJobs.ts';
import type { Evaluated } from '#server/modules/expressions/given.ts';

/** Stands for expressions whose budget does not hold: what their evaluation can do at worst. */
serveJobs(({ program }): Evaluated => {
  if (program.startsWith('hangs')) for (;;);
  if (program.startsWith('allocates')) {
    const text = 'x'.repeat(9_000);
    return { value: text.split('').join(text).split('').join('-').split('-').length };
  }
  if (program === 'fills the heap') for (const held: number[][] = []; ; ) held.push(Array(1_000).fill(1));
  // Few bytes when it is sent, 8 MB for as long as the batch lasts.
  if (program.startsWith('large')) return { value: Array(1_000_000) };
  if (program === 'environment') return { value: Object.keys(process.env) };
  return { value: program };
});
