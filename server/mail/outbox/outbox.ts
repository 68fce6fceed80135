import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { isLoopback } from '#server/api/http/loopback.ts';
import { asPage } from '#server/api/pages/page.ts';
import { serveFile } from '#server/api/pages/pageFiles.ts';
import type { Config } from '#server/infra/config.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { readMail, readMails, readWaiting } from '#server/mail/sending/waiting.ts';
import { outboxPage } from './outboxPage.ts';

interface Outbox {
  db: Db;
  sealing: Sealing;
  config: Pick<Config, 'smtpUrl' | 'publicUrl' | 'trustProxy'>;
}

/**
 * Shows every e-mail that would have been sent at /outbox, for developers who have no mail server yet. Anyone who reads
 * it can become any developer: so it exists only without a mail server, and answers only this machine.
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

/**
 * Behind a proxy on this machine, every request comes from this machine, and nothing in a request need reveal the
 * proxy.
 */
export function hasOutbox({ smtpUrl, publicUrl, trustProxy }: Outbox['config']): boolean {
  const isBehindProxy = trustProxy !== false || (publicUrl?.startsWith('https:') ?? false);
  return smtpUrl === undefined && !isBehindProxy;
}

async function onlyLocal(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isLoopback(request)) throw new Problem('RESOURCE_NOT_FOUND');
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

/** An e-mail has inline styles, as e-mails must. It may do nothing but be displayed, and open links when clicked. */
function asMailContent(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
    'x-frame-options': 'SAMEORIGIN',
  });
}
