import type { FastifyReply, FastifyRequest } from 'fastify';

/** A browser asks before a call of another origin, without credentials: the platform answers for the back end. */
export const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Any method and header may be sent: what does not leave is dropped. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { 'access-control-request-method': method = '', 'access-control-request-headers': names = '' } =
    headers;
  if (/^[A-Z-]{1,20}$/.test(method)) reply.header('access-control-allow-methods', method);
  if (/^[\w\-, ]{1,2000}$/.test(names)) reply.header('access-control-allow-headers', names);
  return reply.code(204).send();
}
