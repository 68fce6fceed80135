import type { FastifyInstance } from 'fastify';
import { refuseUnreadable } from './unreadable.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the route has its own time limit for bodies. */
    takesItsTime?: boolean;
  }
}

/**
 * Rejects bodies that take too long to arrive (slowloris). Node has a single limit for all requests, but
 * uploads may take longer; Node's limit still applies to headers.
 */
export function refuseSlowBodies(app: FastifyInstance, withinMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const hasBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length'] ?? 0) > 0;
    if (!hasBody || request.routeOptions.config.takesItsTime) return done();
    const tooSlow = Object.assign(new Error('The request body took too long to arrive.'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    const end = setTimeout(() => refuseUnreadable(tooSlow, raw.socket), withinMs);
    raw.once('close', () => clearTimeout(end));
    done();
  });
}
