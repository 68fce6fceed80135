import { type Db, sql } from '#server/db/sql.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Platform } from '#server/platform.ts';
import type { Letter } from './letter.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    sendMail: { mailId: string };
  }
}

/** Keeps a mail and the job that sends it, at once or at `runAt`, both in the caller's transaction. Answers the mail's id. */
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
    /** The end user whose name may stand in the subject, which is kept. */
    namesUser?: string | undefined;
  },
): Promise<string> {
  const id = newId('mail');
  const { subject, ...rest } = letter;
  const content = sealing.seal(JSON.stringify(rest));
  await db.run(sql`
    insert into mails (id, recipient, subject, content, created_at, names_user)
    values (${id}, ${to}, ${subject}, ${content}, ${clock()}, ${namesUser ?? null})`);
  await enqueue(db, 'sendMail', { mailId: id }, runAt ? { runAt } : {});
  return id;
}
