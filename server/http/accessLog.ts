import type { FastifyInstance } from 'fastify';
import type { Platform } from '#server/platform.ts';
import { pathOf } from './problems.ts';

/** With `LOG_LEVEL=debug`: a line for each HTTP request, once it is answered. */
export function logAnswers(app: FastifyInstance, { config, log }: Pick<Platform, 'config' | 'log'>): void {
  if (config.logLevel !== 'debug') return;
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime);
    log('debug', `${request.method} ${pathOf(request)} ${reply.statusCode}`, { requestId: request.id, ms });
    done();
  });
}
