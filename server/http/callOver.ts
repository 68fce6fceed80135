import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a call is logged with whose caller hung up before it was answered, as proxies say it. */
const hungUp = 499;

/**
 * Tells of each call once it is over: answered, cut off, or, where it became a WebSocket, closed. Fastify’s own
 * `onResponse` tells only of those whose answer was taken to its end, which a stream hardly ever is.
 */
export function onCallOver(
  api: FastifyInstance,
  tell: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  api.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      const isAnswered = raw.headersSent || raw.statusCode === 101;
      tell(request, reply, isAnswered ? raw.statusCode : hungUp);
    });
    done();
  });
}

/** For a call that became a WebSocket, when that closes. */
export function endUpgraded({ raw }: FastifyReply): void {
  raw.statusCode = 101;
  raw.emit('close');
}
