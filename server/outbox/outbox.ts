import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/sql.ts';
import { isLoopback } from '#server/http/loopback.ts';
import { readMail, readMails, readWaiting } from '#server/mail/waiting.ts';
import { asPage } from '#server/pages/page.ts';
import { serveFile } from '#server/pages/pageFiles.ts';
import type { Sealing } from '#server/sealing.ts';
import { outboxPage } from './outboxPage.ts';

interface Outbox {
  db: Db;
  sealing: Sealing;
  config: Pick<Config, 'smtpUrl' | 'publicUrl' | 'trustProxy'>;
}

/**
 * Every mail that would have been sent, for the newcomer who has no mail server, at /outbox. Whoever reads it can
 * become any developer: it is there only without a mail server, and answers nobody but this machine.
 */
export async function outbox(app: FastifyInstance, { db, sealing, config }: Outbox): Promise<void> {
  if (!hasOutbox(config)) return;
  const local = { onRequest: onlyLocal };

  app.get('/outbox', local, async (_request, reply) => {
    const mails = await readWaiting(db);
    const newest = mails[0] && (await readMail(db, sealing, mails[0].id));
    return asPage(reply).send(outboxPage({ mails, open: newest }));
  });

  app.get('/outbox/messages', local, () => readMails(db, sealing));

  app.get<{ Params: { mailId: string } }>('/outbox/:mailId', local, async (request, reply) => {
    const open = await readMail(db, sealing, request.params.mailId);
    if (!open) throw new Problem('RESOURCE_NOT_FOUND');
    return asPage(reply).send(outboxPage({ mails: await readWaiting(db), open }));
  });

  app.get<{ Params: { mailId: string } }>('/outbox/:mailId/content', local, async (request, reply) => {
    const mail = await readMail(db, sealing, request.params.mailId);
    if (!mail) throw new Problem('RESOURCE_NOT_FOUND');
    return asMailContent(reply).send(mail.html.replace('<head>', '<head><base target="_top">'));
  });

  serveFile(app, '/outbox/outbox.css', new URL('outbox.css', import.meta.url));
}

/** Behind a proxy on this machine everyone comes from here, and nothing in a request need show it. */
export function hasOutbox({ smtpUrl, publicUrl, trustProxy }: Outbox['config']): boolean {
  const isBehindProxy = trustProxy !== false || (publicUrl?.startsWith('https:') ?? false);
  return smtpUrl === undefined && !isBehindProxy;
}

async function onlyLocal(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isLoopback(request)) throw new Problem('RESOURCE_NOT_FOUND');
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

/** A mail is styled in its tags, as mails must be. It may do nothing but be looked at, and lead on when clicked. */
function asMailContent(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
    'x-frame-options': 'SAMEORIGIN',
  });
}
