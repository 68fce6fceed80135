import type { Logger } from 'graphile-worker';
import type { Log } from '#server/log.ts';

/** The library logs every job that it starts and finishes; this keeps only warnings and errors. */
export async function quietLogger(log: Log): Promise<Logger> {
  const { Logger } = await import('graphile-worker');
  return new Logger(({ jobId, taskIdentifier }) => (level, message) => {
    if (level !== 'error' && level !== 'warning') return;
    // The lines after the first are a stack trace.
    log('warn', message.split('\n')[0] ?? message, jobId ? { jobId, task: taskIdentifier } : undefined);
  });
}
