import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { allowed } from './allowed.ts';

/** Answers what is no call of an API: 405 where the address exists, else 404. */
export function noSuchCall(api: FastifyInstance, endpoints: readonly AnyEndpoint[], prefix: RegExp): void {
  const known = endpoints.map(({ method, path }) => ({
    method,
    path: new RegExp(`${prefix.source}${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
  }));
  noSuchAddress(api, known, ['OPTIONS']);
}

/** Answers what no route of a door takes: 405 with the methods of an address that exists, else 404. */
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
  // A route of its own: the console answers every GET that none is found for, and would say that there is nothing.
  door.get('/*', answer);
}
