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

/** Answers that ask for a login or for encryption, at whatever command (RFC 4954). */
const loginCodes: readonly number[] = [530, 534, 535, 538];

/**
 * True if the mail server will never accept this e-mail, so that retrying is pointless: it refused the recipient, or
 * the content once it had it, with 5xx. Everything else is for the operator to fix, and the e-mail waits: a server that
 * is down, a refused login, a sender that the server does not let through.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode = 0 } = error as Error & Partial<SmtpError>;
  const isAboutMail = command === 'RCPT TO' || (code === 'EMESSAGE' && command === 'DATA');
  return isAboutMail && responseCode >= 500 && !loginCodes.includes(responseCode);
}

/** What the library adds to an error: the command that failed, and the server's answer. */
interface SmtpError {
  code: string;
  command: string;
  responseCode: number;
}
