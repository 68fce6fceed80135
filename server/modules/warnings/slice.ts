import type { Slice } from '#server/api/slice.ts';
import { warnOfFailing } from './warnOfFailing.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    warnOfFailing: Record<string, never>;
  }
}

/** Warns developers about webhooks that only fail, before these are suspended. */
export const moduleWarnings: Slice = {
  tables: { webhook_warnings: 'Which warnings about a failing webhook have been sent.' },
  jobs: platform => ({ tasks: { warnOfFailing: () => warnOfFailing(platform) } }),
  schedule: [{ task: 'warnOfFailing', at: '*/10 * * * *' }],
};
