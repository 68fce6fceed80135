import type { Logger } from 'graphile-worker';
import type { Log } from '#server/log.ts';

/** The library tells of every job it takes and finishes; of that we keep what went wrong. */
export async function quietLogger(log: Log): Promise<Logger> {
  const { Logger } = await import('graphile-worker');
  return new Logger(({ jobId, taskIdentifier }) => (level, message) => {
    if (level !== 'error' && level !== 'warning') return;
    // Below its first line stands a stack.
    log('warn', message.split('\n')[0] ?? message, jobId ? { jobId, task: taskIdentifier } : undefined);
  });
}
