import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Log } from '#server/infra/log.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { isPermanent, type Mail, type Smtp } from './smtp.ts';

interface Sending {
  db: Db;
  sealing: Sealing;
  clock: () => Date;
  log: Log;
  /** Without a mail server, e-mails stay in the table, for the outbox. */
  smtp: Smtp | undefined;
}

/**
 * The job that sends one e-mail: at least once, and twice only if the process dies between the server's acceptance and
 * our update of the row.
 */
export function sendMail({ db, sealing, clock, log, smtp }: Sending): Task<'sendMail'> {
  return async ({ mailId }, { isLast }) => {
    if (!smtp) return;
    const mail = await readUnsent(db, sealing, mailId);
    if (!mail) return;
    try {
      await smtp.send(mail);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const givenUp = isPermanent(error);
      await markFailed(db, mailId, message, givenUp);
      if (!givenUp && !isLast) throw error;
      log('warn', 'An e-mail could not be delivered and was given up', { mailId, error: message });
      return;
    }
    await markSent(db, mailId, clock());
  };
}

async function readUnsent(db: Db, sealing: Sealing, id: string): Promise<Mail | undefined> {
  const row = await db.one<{ to: string; subject: string; content: Buffer }>(sql`
    select recipient as "to", subject, content from mails
    where id = ${id} and sent_at is null and content is not null`);
  if (!row) return undefined;
  const content = JSON.parse(sealing.open(row.content)) as Omit<Mail, 'id' | 'to' | 'subject'>;
  return { id, to: row.to, subject: row.subject, ...content };
}

/** Deletes the content of a sent e-mail, because the links in it are as sensitive as passwords. */
async function markSent(db: Db, id: string, at: Date): Promise<void> {
  await db.run(sql`
    update mails set sent_at = ${at}, content = null, error = null, attempts = attempts + 1 where id = ${id}`);
}

const errorMax = 500;

async function markFailed(db: Db, id: string, error: string, givenUp: boolean): Promise<void> {
  await db.run(sql`
    update mails
    set error = ${error.slice(0, errorMax)}, attempts = attempts + 1,
      content = case when ${givenUp} then null else content end
    where id = ${id}`);
}
