import { onClockSet, serverNow } from '#console/core/serverClock.ts';
import { createStore, useStore } from '#console/core/store.ts';
import { dayS, hourS, minuteS } from '#rules/time/durations.ts';
import { absoluteTime, yearDayText } from './dateTexts.ts';

interface TimeAgoProps {
  /** RFC 3339; absent: never. */
  time: string | undefined;
  never?: string;
  /** True: a future time, exact to the second. */
  ahead?: boolean;
}

/** A relative time, with the exact time and its zone on hover and for programs. */
export function TimeAgo({ time, never = 'never', ahead = false }: TimeAgoProps) {
  const now = useStore(clock);
  if (time === undefined) return <>{never}</>;
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {relativeTime(time, now, ahead ? 0 : clockSlackS)}
    </time>
  );
}

/** How long something has lasted: "2 h 14 min", with its start on hover. */
export function LastsSince({ time }: { time: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={time} title={`since ${absoluteTime(time)}`}>
      {durationText(now - Date.parse(time))}
    </time>
  );
}

/** "40 s", "31 min", "2 h 14 min", "1 day 3 h", "9 days" */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
  const days = Math.floor(hours / 24);
  if (days === 1) return `1 day${hours % 24 ? ` ${hours % 24} h` : ''}`;
  return `${days} days`;
}

/** Tolerates a server clock that is slightly ahead of ours. */
const clockSlackS = 60;

export function relativeTime(time: string, now: number, slackS = clockSlackS): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (seconds < 5 && seconds > -Math.max(1, slackS)) return 'now';
  const size = Math.abs(seconds);
  const [unitS, unit] = units.find(([from]) => size >= from) ?? units[units.length - 1] ?? [1, 's'];
  const text = `${Math.floor(size / unitS)} ${unit}${unit === 'day' && size >= 2 * dayS ? 's' : ''}`;
  if (size >= 30 * dayS) return yearDayText(time);
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

const units: readonly [fromS: number, unit: string][] = [
  [dayS, 'day'],
  [hourS, 'h'],
  [minuteS, 'min'],
  [1, 's'],
];

/** The current time, the same for all times on screen. */
export const useNow = () => useStore(clock);

/** One clock for all times on screen, so that they change together. */
const clock = createStore(serverNow());
onClockSet(() => clock.set(serverNow()));
setInterval(() => {
  // Without a page, in a test of the words alone, there is none to keep up to date.
  if (globalThis.document?.hidden === false) clock.set(serverNow());
}, 5000);
