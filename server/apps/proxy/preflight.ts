import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A browser sends a preflight, without credentials, before a call from another origin. The platform answers it, not the
 * back end.
 */
export const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Allows any method and header: headers that must not be forwarded are dropped later. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { 'access-control-request-method': method = '', 'access-control-request-headers': names = '' } =
    headers;
  if (/^[A-Z-]{1,20}$/.test(method)) reply.header('access-control-allow-methods', method);
  if (/^[\w\-, ]{1,2000}$/.test(names)) reply.header('access-control-allow-headers', names);
  return reply.code(204).send();
}
