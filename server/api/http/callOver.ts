import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The status in the log if the caller hung up before the answer, as proxies use it. */
const hungUp = 499;

/**
 * Calls `tell` for each call once it is over: answered, aborted or, if it became a WebSocket, closed. Fastify’s own
 * `onResponse` fires only for answers that were read to the end, which is rare for a stream.
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

/** Ends a call that became a WebSocket, when the WebSocket closes. */
export function endUpgraded({ raw }: FastifyReply): void {
  raw.statusCode = 101;
  raw.emit('close');
}
