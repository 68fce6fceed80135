import type { FastifyInstance, FastifyReply } from 'fastify';
import { Limits } from '#server/api/endpoints/limits.ts';
import { readBodies } from '#server/api/http/body.ts';
import { answerProblem } from '#server/api/http/problems.ts';
import { type Html, html } from '#server/api/pages/html.ts';
import { subscriberOf, unsubscribePath } from '#server/devices/alerts/mails/endMailsLink.ts';
import { unsubscribe } from '#server/devices/alerts/mails/store.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { pressForm, said, sendUserPage, showProblem } from './userPage.ts';

/** Requests per second and burst size, per address. */
const rate = { perS: 1, burst: 30 };

/** Ends e-mails about alerts, by a button on the page or by the mail program itself (RFC 8058). */
export async function endAlertMailsPage(app: FastifyInstance, platform: Platform): Promise<void> {
  const limits = new Limits(platform.config.rateLimits);
  await app.register(async scope => {
    readBodies(scope);
    scope.setErrorHandler(answerProblem(platform, showProblem));
    scope.get(unsubscribePath, async (request, reply) => {
      limits.takeOfAddress('unsubscribe', request.ip, rate, platform.clock().getTime());
      const found = await find(platform, tokenIn(request.query));
      if (!found) return showUseless(reply);
      const main = said(`You will no longer get e-mails about alerts of ${found.project}.`);
      const form = pressForm(found.token, 'Unsubscribe');
      return show(reply, 200, found.project, 'Unsubscribe from alerts', html`${main}${form}`);
    });
    scope.post(unsubscribePath, async (request, reply) => {
      limits.takeOfAddress('unsubscribe', request.ip, rate, platform.clock().getTime());
      const found = await find(platform, tokenIn(request.body) || tokenIn(request.query));
      if (!found) return showUseless(reply);
      await unsubscribe(platform.db, found);
      const main = said(
        'You will no longer get these e-mails. You can turn them on again on the project’s Alerts page.',
      );
      return show(reply, 200, found.project, 'You are unsubscribed', main);
    });
  });
}

function tokenIn(given: unknown): string {
  const token = (given as { token?: unknown } | undefined)?.token;
  return typeof token === 'string' && token.length <= 512 ? token : '';
}

async function find(platform: Platform, token: string) {
  const subscriber = token === '' ? undefined : subscriberOf(platform, token);
  if (!subscriber) return undefined;
  const row = await platform.db.one<{ name: string }>(sql`
    select name from projects where id = ${subscriber.projectId} and deleted_at is null`);
  return row && { ...subscriber, project: row.name, token };
}

function show(reply: FastifyReply, status: number, project: string, title: string, main: Html) {
  return sendUserPage(reply, status, { project, title, main });
}

function showUseless(reply: FastifyReply) {
  return show(
    reply,
    400,
    'Mooring',
    'This link is not valid',
    said('It is incomplete, or the project no longer exists. You can turn these e-mails off under Account.'),
  );
}
