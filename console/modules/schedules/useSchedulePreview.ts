import { useEffect, useState } from 'react';
import { call } from '#console/core/client.ts';
import { CallFailed } from '#contract/client.ts';
import { previewSchedule, type SchedulePreview } from '#contract/moduleSchedule.ts';

const askAfterMs = 400;

/** What the server says of a schedule while it is being typed, whatever else is still to be filled in. */
export function useSchedulePreview(projectId: string, cron: string, timeZone: string) {
  const [found, setFound] = useState<{ of?: string; answer?: SchedulePreview; error?: CallFailed }>({});
  const asked = `${cron} ${timeZone}`;
  useEffect(() => {
    if (cron.trim() === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const body = { cron: cron.slice(0, 100), timeZone: timeZone.slice(0, 64) };
        const answer = await call(previewSchedule, { params: { projectId }, body, signal: stop.signal });
        if (!stop.signal.aborted) setFound({ of: asked, answer });
      } catch (error) {
        if (error instanceof CallFailed && !stop.signal.aborted) setFound({ of: asked, error });
      }
    }, askAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [projectId, cron, timeZone, asked]);
  const { of, answer, error } = cron.trim() === '' ? {} : found;
  return {
    answer,
    error,
    isAsked: cron.trim() !== '',
    /** What is wrong with what is there now. */
    fault: of === asked ? answer?.fault : undefined,
  };
}
