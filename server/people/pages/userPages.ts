import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Constraints } from '#server/api/endpoints/constraints.ts';
import { Limits } from '#server/api/endpoints/limits.ts';
import { readBodies } from '#server/api/http/body.ts';
import { answerProblem } from '#server/api/http/problems.ts';
import { serveFile } from '#server/api/pages/pageFiles.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { invitationPage } from './invitationPage.ts';
import type { Asked, Page } from './pageActs.ts';
import { passwordPage } from './passwordPage.ts';
import { sendUserPage, showProblem } from './userPage.ts';
import { verifyPage } from './verifyPage.ts';

declare module '#server/api/slice.ts' {
  interface Slice {
    /** Its pages for end users. */
    userPages?: readonly Page[];
  }
}

/** Requests per second and burst size, per address. */
const rate = { perS: 1, burst: 30 };

const own: readonly Page[] = [verifyPage, passwordPage, invitationPage];

/**
 * The pages that links in e-mails to end users lead to, for users who do not enter the code in the app: those of accounts,
 * and those of slices.
 */
export async function userPages(
  app: FastifyInstance,
  platform: Platform,
  { slices, constraints }: { slices: readonly Slice[]; constraints: Constraints },
): Promise<void> {
  serveFile(app, '/page/user.css', new URL('user.css', import.meta.url));
  const limits = new Limits(platform.config.rateLimits);
  await app.register(
    async scope => {
      readBodies(scope);
      scope.setErrorHandler(answerProblem(platform, showProblem));
      for (const page of [...own, ...slices.flatMap(slice => slice.userPages ?? [])]) {
        const asked = (request: FastifyRequest, reply: FastifyReply, token: unknown) => {
          limits.takeOfAddress('user pages', request.ip, rate, platform.clock().getTime());
          return askedOf({ platform, constraints }, { request, reply, token });
        };
        scope.get(page.path, async (request, reply) => {
          const { token } = request.query as { token?: unknown };
          return page.look(await asked(request, reply, token));
        });
        scope.post(page.path, async (request, reply) => {
          const form = formOf(request.body);
          // A mail program that unsubscribes sends only the URL.
          const { token } = request.query as { token?: unknown };
          return page.send(await asked(request, reply, form.token ?? token), form);
        });
      }
    },
    { prefix: '/u/:projectId' },
  );
}

/** All fields of a form are text, but a caller who sends JSON could send other types. */
function formOf(body: unknown): Record<string, string> {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

async function askedOf(
  { platform, constraints }: Pick<Asked, 'platform' | 'constraints'>,
  { request, reply, token }: { request: FastifyRequest; reply: FastifyReply; token: unknown },
): Promise<Asked> {
  const { projectId } = request.params as { projectId: string };
  const project = await platform.db.one<Asked['project']>(sql`
    select id, name, user_account_mode = 'email' and not restrict_password_login as "isPasswordUsed",
      array(select m.label from user_auth_methods m where m.project_id = p.id order by m.created_at, m.id) as methods
    from projects p where id = ${projectId} and deleted_at is null`);
  if (!project) throw new Problem('RESOURCE_NOT_FOUND');
  return {
    platform,
    constraints,
    project,
    reply,
    now: platform.clock(),
    address: request.ip,
    requestId: request.id,
    token: typeof token === 'string' && token.length <= 512 ? token : '',
    show: (status, title, main) => sendUserPage(reply, status, { project: project.name, title, main }),
  };
}
