import type { Transporter } from 'nodemailer';
import type { Letter } from './letter.ts';

export interface Mail extends Letter {
  id: string;
  to: string;
}

/** Sends e-mails through a mail server. */
export interface Smtp {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** Less than the number of jobs that a worker runs at once. */
export const connectionsMax = 2;

/** Loads the library and connects to the server on the first e-mail, because most processes never send one. */
export function createSmtp({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }): Smtp {
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      transport ??= connect(smtpUrl);
      await (await transport).sendMail({
        from: mailFrom,
        // As an object, it is a single address even if it contains commas.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same in every attempt, so that a recipient who gets the e-mail twice sees it once.
        messageId: `<${id}@${domainOf(mailFrom)}>`,
        // Tells autoresponders not to reply (RFC 3834).
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
    },
    close() {
      transport?.then(
        opened => opened.close(),
        () => undefined,
      );
    },
  };
}

async function connect(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connectionsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
}

/** `Mooring <noreply@iot.example>` → `iot.example` */
function domainOf(mailFrom: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}

/** From here on, a refusal is about mailboxes and content; below, about syntax, order, logins and encryption. */
const mailCodesFrom = 550;
/** "Too many recipients", or a full mailbox: temporary for a recipient (RFC 5321, section 4.5.3.1.10). */
const roomCode = 552;
/** How a server that would have to forward the e-mail says that this sender may not send through it (RFC 3463). */
const refusedSender = /\b5\.7\.\d+\b|\brelay/i;

/**
 * True if the mail server will never accept this e-mail, so that retrying is pointless: it refused the recipient, or
 * the content once it had it. Everything else is for the operator to fix, and the e-mail waits: a server that is down,
 * a refused login, a sender that the server does not let through, which many say only once they know the recipient.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, command, response = '', responseCode = 0 } = error as Error & Partial<SmtpError>;
  if (responseCode < mailCodesFrom) return false;
  if (command === 'RCPT TO') return responseCode !== roomCode && !refusedSender.test(response);
  return code === 'EMESSAGE' && command === 'DATA';
}

/** What the library adds to an error: the command that failed, and the server's answer. */
interface SmtpError {
  code: string;
  command: string;
  response: string;
  responseCode: number;
}
