import sql from 'sql-template-tag';
import type { Db } from '#server/db/sql.ts';
import type { IdPrefix } from '#server/ids.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Sealing } from '#server/sealing.ts';
import type { Letter } from './letter.ts';

interface Making {
  sealing: Sealing;
  /** Milliseconds since 1970. */
  now: () => number;
  newId: (prefix: IdPrefix, nowMs: number) => string;
}

/** Keeps a mail and the job that sends it, both in the caller's transaction. Answers the mail's id. */
export async function queueMail(
  db: Db,
  { sealing, now, newId }: Making,
  { to, letter }: { to: string; letter: Letter },
): Promise<string> {
  const createdAt = now();
  const id = newId('mail', createdAt);
  const content = sealing.seal(JSON.stringify({ text: letter.text, html: letter.html }));
  await db.run(sql`
    insert into mails (id, recipient, subject, content, created_at)
    values (${id}, ${to}, ${letter.subject}, ${content}, ${new Date(createdAt)})`);
  await enqueue(db, 'sendMail', { mailId: id });
  return id;
}
