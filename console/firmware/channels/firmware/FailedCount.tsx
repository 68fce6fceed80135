import { Dash } from '#console/ui/list/TwoLines.tsx';
import { numberText } from '#rules/text/numberText.ts';
import css from './channelBand.module.css';

/** Failures are counted up to this number, shown as "1,000+". */
const countedMax = 1_000;

/** How many devices of a channel failed to update. */
export function FailedCount({ count }: { count: number }) {
  if (count === 0) return <Dash said="none failed" />;
  return (
    <b className={css.failed}>
      {numberText(count)}
      {count >= countedMax && '+'}
    </b>
  );
}
