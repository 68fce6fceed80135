import type { Logger } from 'graphile-worker';
import type { Log } from '#server/infra/log.ts';

/** The library logs every job that it starts and finishes: that is for debugging, and only the rest is a warning. */
export async function quietLogger(log: Log): Promise<Logger> {
  const { Logger } = await import('graphile-worker');
  return new Logger(({ jobId, taskIdentifier }) => (level, message) => {
    const at = level === 'error' || level === 'warning' ? 'warn' : 'debug';
    // The lines after the first are a stack trace.
    log(at, message.split('\n')[0] ?? message, jobId ? { jobId, task: taskIdentifier } : undefined);
  });
}
