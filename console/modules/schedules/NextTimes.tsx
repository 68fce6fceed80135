import { FormError } from '#console/ui/state/FormError.tsx';
import css from './schedule.module.css';
import type { useSchedulePreview } from './useSchedulePreview.ts';

interface NextTimesProps {
  preview: ReturnType<typeof useSchedulePreview>;
  /** The field shows what is wrong with the time. */
  hasField?: boolean;
}

/** The next due times of a schedule in its time zone, or why there are none. */
export function NextTimes({ preview: { isAsked, answer, error }, hasField = false }: NextTimesProps) {
  if (!isAsked) return null;
  if (error) return <FormError error={error} />;
  // While the time is half typed, the height stays the same.
  if (!answer || (hasField && answer.fault?.field === 'cron'))
    return <div className={css.waiting} aria-busy={!answer} />;
  if (answer.fault) return <p className={css.fault}>{answer.fault.message}</p>;
  return (
    <ol className={css.next} aria-label="Next times">
      {answer.next.map(({ at, local, note }) => (
        <li key={at}>
          <time dateTime={at}>{local}</time>
          {note && <small>{note}</small>}
        </li>
      ))}
      {answer.next.length === 0 && <li>It never runs.</li>}
    </ol>
  );
}
