import type { FastifyInstance } from 'fastify';

/** How long a browser may cache the answer to a preflight request. */
const preflightMaxS = 7200;

/**
 * Lets pages of any origin call an API without cookies: no page can then act in its visitor's name without their
 * knowledge.
 */
export function anyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    reply.header(
      'access-control-expose-headers',
      'content-range,next-cursor,total-is-lower-bound,searched-to,x-request-id,retry-after,allow',
    );
    if (request.method !== 'OPTIONS') return done();
    reply.header('access-control-allow-methods', 'GET,HEAD,POST,PUT,PATCH,DELETE');
    reply.header(
      'access-control-allow-headers',
      'authorization,content-type,if-match,idempotency-key,last-event-id',
    );
    reply.header('access-control-max-age', preflightMaxS);
    done();
  });
  app.options('/*', async (_request, reply) => reply.code(204).send());
}
