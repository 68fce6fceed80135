import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { allowed } from './allowed.ts';

/** Answers requests that match no call of an API: 405 if the address exists, otherwise 404. */
export function noSuchCall(api: FastifyInstance, endpoints: readonly AnyEndpoint[], prefix: RegExp): void {
  const known = endpoints.map(({ method, path }) => ({
    method,
    path: new RegExp(`${prefix.source}${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
  }));
  noSuchAddress(api, known, ['OPTIONS']);
}

/** Answers requests that match no route of a door: 405 with the methods if the address exists, otherwise 404. */
export function noSuchAddress(
  door: FastifyInstance,
  known: readonly { method: string; path: RegExp }[],
  everywhere: readonly string[] = [],
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): never => {
    const asked = request.url.split('?')[0] ?? '';
    const methods = known.filter(({ path }) => path.test(asked)).map(({ method }) => method);
    if (methods.length === 0) throw new Problem('RESOURCE_NOT_FOUND');
    reply.header('allow', allowed([...methods, ...everywhere]));
    throw new Problem('METHOD_NOT_ALLOWED');
  };
  door.setNotFoundHandler(answer);
  // An explicit route, because the console answers every GET without one, and would say that nothing was found.
  door.get('/*', answer);
}
