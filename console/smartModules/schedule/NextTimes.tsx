import { useEffect, useState } from 'react';
import { call } from '#console/api.ts';
import { FormError } from '#console/ui/form/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import { previewSchedule, type SchedulePreview } from '#contract/moduleSchedule.ts';
import css from './schedule.module.css';

const askAfterMs = 400;

interface NextTimesProps {
  projectId: string;
  cron: string;
  timeZone: string;
  /** The field already shows its fault. */
  isFaultSaid?: boolean;
}

/**
 * The next due times of a schedule in its time zone, or why there are none, whether or not the rest of the form is
 * filled in.
 */
export function NextTimes({ projectId, cron, timeZone, isFaultSaid = false }: NextTimesProps) {
  const { answer, error } = usePreview(projectId, cron, timeZone);
  if (cron.trim() === '') return null;
  if (error) return <FormError error={error} />;
  if (!answer) return <div className={css.waiting} aria-busy="true" />;
  if (answer.fault) return isFaultSaid ? null : <p className={css.fault}>{answer.fault.message}</p>;
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

function usePreview(projectId: string, cron: string, timeZone: string) {
  const [found, setFound] = useState<{ answer?: SchedulePreview; error?: CallFailed }>({});
  useEffect(() => {
    if (cron.trim() === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const body = { cron: cron.slice(0, 100), timeZone: timeZone.slice(0, 64) };
        const answer = await call(previewSchedule, { params: { projectId }, body, signal: stop.signal });
        if (!stop.signal.aborted) setFound({ answer });
      } catch (error) {
        if (error instanceof CallFailed && !stop.signal.aborted) setFound({ error });
      }
    }, askAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [projectId, cron, timeZone]);
  return found;
}
