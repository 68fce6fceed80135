import { Cron } from 'croner';
import { timeZoneNamed } from '#rules/time/timeZone.ts';
import { fromLocal, toLocal } from './localTime.ts';

export interface When {
  cron: string;
  timeZone: string;
}

/** Paused, because it is used only to compute times, never as a timer. */
function cronOf({ cron, timeZone }: When): Cron {
  return new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part', sloppyRanges: false });
}

/**
 * Whether a schedule is due at fixed hours, once a day whatever the clocks do: its minute and hour have no wildcard and no
 * step. All others are due at every such time, also twice in an hour that is repeated.
 */
export const isFixed = (cron: string): boolean =>
  !/[*/]/.test(cron.trim().split(/\s+/).slice(0, 2).join(' '));

/** The next due time after this one; undefined if there is none. */
export function nextTime(when: When, after: Date): Date | undefined {
  return isFixed(when.cron) ? nextFixed(when, after) : (cronOf(when).nextRun(after) ?? undefined);
}

/** Follows the clock on the wall: a time that it skips is due right after, and one that it shows twice the first time. */
function nextFixed({ cron, timeZone }: When, after: Date): Date | undefined {
  const onTheWall = cronOf({ cron, timeZone: 'UTC' });
  let local: Date | null = toLocal(after, timeZone);
  for (;;) {
    local = onTheWall.nextRun(local);
    if (!local) return undefined;
    const at = fromLocal(local, timeZone);
    if (at > after) return at;
  }
}

export function nextTimes(when: When, count: number, after: Date): Date[] {
  const times: Date[] = [];
  for (let at = nextTime(when, after); at && times.length < count; at = nextTime(when, at)) times.push(at);
  return times;
}

/** The reason why a schedule is invalid, in words. */
export function faultOf(when: When): { field: keyof When; message: string } | undefined {
  if (timeZoneNamed(when.timeZone) === undefined)
    return { field: 'timeZone', message: 'This time zone does not exist. Use a name such as Europe/Oslo.' };
  const fields = when.cron.trim().split(/\s+/);
  // A question mark would stand for the time at which it is parsed.
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
