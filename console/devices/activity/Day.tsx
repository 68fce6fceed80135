import { serverNow } from '#console/core/serverClock.ts';
import { timeFormat } from '#console/ui/time/dateTexts.ts';
import css from './activity.module.css';

const day = timeFormat('dddd D MMM');

/** Shown above the first line of each day except today. */
export function Day({ ts, before }: { ts: string; before: string | undefined }) {
  const name = day(ts);
  if (name === day(before ?? serverNow())) return null;
  return <li className={css.day}>{name}</li>;
}
