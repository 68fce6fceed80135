import { serialize } from 'node:v8';
import type { Answer, Job, Question } from '#server/modules/expressions/given.ts';
import type { Asked } from './evaluatorProcess.ts';

/** The most bytes of values that are sent together: they must fit into the memory of the evaluator several times. */
export const bytesMax = 4 * 1024 * 1024;
/** After this many failures that no expression explains, a batch is given up: halving a full batch fails 10 times. */
const unexplainedMax = 16;

export const tooSlow = 'It was stopped: it took longer than 500 ms.';
export const tooLarge = 'It was stopped: it used more memory than an expression may.';

/** Asks a process. After an answer other than results, the next question goes to a new process. */
export type Ask = (content: Buffer<ArrayBuffer>, how: { isMarked: boolean }) => Promise<Asked>;

/** An expression that had to be stopped. */
export interface Guilty {
  job: Job;
  because: string;
}

/**
 * Evaluates jobs together. The job that runs when the process fails is only suspect, because the values and results of
 * the others fill the same memory, and the process may have served many batches. It is guilty if it fails alone in a
 * new process as well. Otherwise each half of the jobs is evaluated by itself.
 */
export async function findGuilty(ask: Ask, jobs: readonly Job[]): Promise<Answer | Guilty> {
  let unexplained = 0;
  return evaluate(jobs);

  async function evaluate(some: readonly Job[]): Promise<Answer | Guilty> {
    const content = question({ jobs: some });
    if (content.length > bytesMax && some.length > 1) return inHalves(some);
    const asked = await askUntilSuspect(ask, content);
    if ('answer' in asked) return asked.answer;
    const suspect = some[suspectIn(asked) ?? -1];
    const alone = suspect && (await ask(question({ jobs: [suspect] }), { isMarked: true }));
    if (alone && !('answer' in alone) && suspectIn(alone) !== undefined)
      return { job: suspect, because: becauseOf(alone) };
    if (some.length === 1 && alone && 'answer' in alone) return alone.answer;
    if (++unexplained >= unexplainedMax || some.length === 1)
      throw new Error('The process that evaluates expressions ended several times');
    return inHalves(some);
  }

  async function inHalves(some: readonly Job[]): Promise<Answer | Guilty> {
    const half = Math.ceil(some.length / 2);
    const first = await evaluate(some.slice(0, half));
    if ('job' in first) return first;
    const second = await evaluate(some.slice(half));
    if ('job' in second) return second;
    return {
      results: [...first.results, ...second.results],
      spent: [...first.spent, ...second.spent],
      usedMs: [...first.usedMs, ...second.usedMs],
    };
  }
}

export const question = (asked: Question) => serialize(asked) as Buffer<ArrayBuffer>;

/** Without marks first: they cost a write for each job, and are only needed if the process dies. */
export async function askUntilSuspect(ask: Ask, content: Buffer<ArrayBuffer>): Promise<Asked> {
  const asked = await ask(content, { isMarked: false });
  return 'died' in asked ? ask(content, { isMarked: true }) : asked;
}

type Failed = Exclude<Asked, { answer: Answer }>;

/** The index of the job that ran when the process failed, if known. */
export const suspectIn = (asked: Failed) => ('stopped' in asked ? asked.stopped : asked.died);

const becauseOf = (asked: Failed) => ('because' in asked && asked.because === 'tooSlow' ? tooSlow : tooLarge);
