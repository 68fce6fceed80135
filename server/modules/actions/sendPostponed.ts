import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { sendReady } from './mailAction.ts';
import { duePostponed, type PostponedKey, takePostponed } from './postponedMails.ts';
import { moveAct } from './rememberActs.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    sendPostponedMails: Record<string, never>;
  }
}

/** E-mails per minute; the rest follow in the next. */
const mailsMax = 2_000;

/** Job that sends the e-mails of rules whose quiet hours have ended. */
export function sendPostponedJob(platform: Platform): Task<'sendPostponedMails'> {
  return async (_, { signal }) => {
    for (const key of await duePostponed(platform.db, platform.clock(), mailsMax)) {
      if (signal?.aborted) return;
      await sendOne(platform, key).catch(error =>
        platform.log('warn', 'A postponed e-mail of a rule could not be sent', {
          projectId: key.projectId,
          error: String(error),
        }),
      );
    }
  };
}

/** Taken and sent in one transaction, so that it is sent once. From now on it counts among those of the hour. */
function sendOne(platform: Platform, key: PostponedKey): Promise<void> {
  return platform.db.tx(async db => {
    const ready = await takePostponed(db, platform, key);
    if (!ready) return;
    const { summary } = await sendReady(db, ready, platform);
    await moveAct(db, key, { summary, at: platform.clock() });
  });
}
