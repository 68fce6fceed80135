import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { tokenIn } from '#server/api/sessions/accessToken.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const allowedMethods = 'GET,HEAD,POST,PUT,PATCH,DELETE';
const allowedHeaders = 'content-type,x-console-guard,if-match,idempotency-key';

/**
 * Protects against cross-site request forgery. A foreign page can send simple requests with our cookie, but it
 * cannot add a header, and the browser sends its origin.
 */
export function guard(app: FastifyInstance, platform: Platform): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin !== undefined && !isOurs(platform, request, origin)) {
      await refuseForeign(platform, origin);
      reply.header('access-control-allow-origin', origin).header('vary', 'origin');
      reply.header('access-control-allow-credentials', 'true');
      reply.header(
        'access-control-expose-headers',
        'content-range,next-cursor,total-is-lower-bound,searched-to,x-request-id,retry-after,allow',
      );
      if (request.method === 'OPTIONS') {
        reply.header('access-control-allow-methods', allowedMethods);
        reply.header('access-control-allow-headers', allowedHeaders);
      }
    }
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    // Only scripts send access tokens: a foreign page has no access to its visitor's token.
    const byToken = tokenIn(request.headers.authorization) !== undefined;
    if (changes && !byToken && request.headers['x-console-guard'] !== '1') throw new Problem('GUARD_MISSING');
  });
  app.options('/*', async (_request, reply) => reply.code(204).send());
}

async function refuseForeign({ db }: Platform, origin: string): Promise<void> {
  if (origin === 'null' || !(await isRegistered(db, origin))) throw new Problem('ORIGIN_REFUSED');
}

function isOurs(platform: Platform, request: FastifyRequest, origin: string): boolean {
  return origin === platform.publicUrl() || origin === `${request.protocol}://${request.headers.host}`;
}

async function isRegistered(db: Database, origin: string): Promise<boolean> {
  const found = await db.one(
    sql`select 1 as found from organizations where ${origin} = any(allowed_origins) limit 1`,
  );
  return found !== undefined;
}
