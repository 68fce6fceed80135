import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Sealing } from '#server/infra/sealing.ts';

export interface WaitingMail {
  id: string;
  to: string;
  subject: string;
  createdAt: Date;
}

export interface OpenMail extends WaitingMail {
  text: string;
  html: string;
  /** The URLs in the e-mail, in order. */
  links: string[];
}

const shownMax = 100;

/** The unsent e-mails, newest first. */
export function readWaiting(db: Db): Promise<WaitingMail[]> {
  return db.many<WaitingMail>(sql`
    select id, recipient as "to", subject, created_at as "createdAt" from mails
    where content is not null order by created_at desc, id desc limit ${shownMax}`);
}

type Sealed = WaitingMail & { content: Buffer };

/** The unsent e-mails with their content decrypted. */
export async function readMails(db: Db, sealing: Sealing): Promise<OpenMail[]> {
  const rows = await db.many<Sealed>(sql`
    select id, recipient as "to", subject, created_at as "createdAt", content from mails
    where content is not null order by created_at desc, id desc limit ${shownMax}`);
  return rows.map(row => opened(row, sealing));
}

export async function readMail(db: Db, sealing: Sealing, id: string): Promise<OpenMail | undefined> {
  const row = await db.one<Sealed>(sql`
    select id, recipient as "to", subject, created_at as "createdAt", content from mails
    where id = ${id} and content is not null`);
  return row && opened(row, sealing);
}

function opened({ content, ...mail }: Sealed, sealing: Sealing): OpenMail {
  const { text, html } = JSON.parse(sealing.open(content)) as { text: string; html: string };
  return { ...mail, text, html, links: text.match(/https?:\/\/\S+/g) ?? [] };
}
