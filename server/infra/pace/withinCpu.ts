import { createContext, Script } from 'node:vm';

const context = createContext({ work: () => undefined });
const script = new Script('work()');

/** The work was stopped: it used more than its share of the processor. */
export class TookTooLong extends Error {}

/**
 * Does work that cannot yield, and stops it once it has used this much processor time, because nobody else is served
 * meanwhile. A busy machine does not count against it: work that hardly got the processor is begun again, with more time.
 */
export function withinCpu<T>(mostMs: number, work: () => T): T {
  for (let timeout = mostMs; ; timeout *= 2) {
    const before = process.threadCpuUsage();
    context.work = work;
    try {
      return script.runInContext(context, { timeout }) as T;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1000 > 0.8 * mostMs) throw new TookTooLong();
    } finally {
      context.work = undefined;
    }
  }
}
