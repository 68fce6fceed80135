import type { SchedulePreview } from '#contract/moduleSchedule.ts';
import { hourMs } from '#rules/time/durations.ts';
import { offsetMinutes } from './localTime.ts';
import { faultOf, isFixed, nextTimes, type When } from './nextTimes.ts';

const shown = 5;

/** The next times of a schedule, with notes on clock changes. */
export function previewOf(when: When, now: Date): SchedulePreview {
  const fault = faultOf(when);
  if (fault) return { next: [], fault };
  const show = clockOf(when.timeZone);
  const times = nextTimes(when, shown, now);
  return {
    next: times.map(at => {
      const note = hintOf(at, when);
      return { at: at.toISOString(), local: show(at), ...(note !== undefined && { note }) };
    }),
  };
}

/** Formats as `Mon, 23 Nov 2026, 07:00 GMT+1`. */
function clockOf(timeZone: string): (at: Date) => string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...day, ...time });
  return at => format.format(at);
}

const effects = {
  fixed: {
    forward: 'A run that falls into the gap happens right after it.',
    back: 'A run in the repeated hour happens once.',
  },
  interval: {
    forward: 'There are no runs in the skipped hour.',
    back: 'A run in the repeated hour happens both times.',
  },
};

/** Notes a clock change shortly before or at that time, and what it does to the schedule. */
function hintOf(at: Date, { cron, timeZone }: When): string | undefined {
  const [before, after] = [-3 * hourMs, 3 * hourMs].map(ms =>
    offsetMinutes(new Date(at.getTime() + ms), timeZone),
  );
  if (before === undefined || after === undefined || before === after) return undefined;
  const minutes = Math.abs(after - before);
  const words = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  const change = after > before ? 'forward' : 'back';
  return `Clocks go ${change} by ${words} around this time. ${effects[isFixed(cron) ? 'fixed' : 'interval'][change]}`;
}
