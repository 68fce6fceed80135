import { Cron } from 'croner';
import { timeZoneNamed } from '#rules/homes/timeZone.ts';

export interface When {
  cron: string;
  timeZone: string;
}

/** Never given to a timer: it is only asked for times. */
function cronOf({ cron, timeZone }: When): Cron {
  return new Cron(cron, {
    ...{ timezone: timeZone, paused: true, mode: '5-part', sloppyRanges: false },
    // What is due at given hours is due once, also where the clock is changed.
    fixedTimeRule: 'no-wildcard',
  });
}

/** When it is due after that time; undefined: never again. */
export function nextTime(when: When, after: Date): Date | undefined {
  return cronOf(when).nextRun(after) ?? undefined;
}

export const nextTimes = (when: When, count: number, after: Date): Date[] =>
  cronOf(when).nextRuns(count, after);

/** What is wrong with it, in words. */
export function faultOf(when: When): { field: keyof When; message: string } | undefined {
  if (timeZoneNamed(when.timeZone) === undefined)
    return { field: 'timeZone', message: 'This time zone does not exist. Use a name such as Europe/Oslo.' };
  const fields = when.cron.trim().split(/\s+/);
  // A question mark would mean the time at which it is read.
  if (/[@?]/.test(when.cron) || fields.length !== 5)
    return {
      field: 'cron',
      message: 'Enter five fields: minute, hour, day of the month, month, day of the week.',
    };
  try {
    if (cronOf(when).nextRun()) return undefined;
    return { field: 'cron', message: 'This date never occurs, like 30 February.' };
  } catch (error) {
    return { field: 'cron', message: wordsOf(error) };
  }
}

const wordsOf = (error: unknown) =>
  `This is not a valid time: ${String(error instanceof Error ? error.message : error).replace(/^CronPattern: /, '')}`;
