import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Letter } from './letter.ts';
import { connectionsMax } from './smtp.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    sendMail: { mailId: string };
  }
}

/**
 * Jobs of one queue run one after the other. With one queue per connection, at most that many e-mails are sent at once,
 * and a mail server that hangs does not keep workers from other jobs.
 */
const queueOf = (id: string) => `mail ${(id.codePointAt(id.length - 1) ?? 0) % connectionsMax}`;

/**
 * Stores an e-mail and enqueues the job that sends it, at once or at `runAt`, both in the caller's transaction. Returns
 * the id of the e-mail.
 */
export async function queueMail(
  db: Db,
  { sealing, clock, newId }: Pick<Platform, 'sealing' | 'clock' | 'newId'>,
  {
    to,
    letter,
    runAt,
    namesUser,
  }: {
    to: string;
    letter: Letter;
    runAt?: Date | undefined;
    /** The end user whose name may occur in the subject, which is stored. */
    namesUser?: string | undefined;
  },
): Promise<string> {
  const id = newId('mail');
  const { subject, ...rest } = letter;
  const content = sealing.seal(JSON.stringify(rest));
  await db.run(sql`
    insert into mails (id, recipient, subject, content, created_at, names_user)
    values (${id}, ${to}, ${subject}, ${content}, ${clock()}, ${namesUser ?? null})`);
  await enqueue(db, 'sendMail', { mailId: id }, { queue: queueOf(id), ...(runAt && { runAt }) });
  return id;
}
