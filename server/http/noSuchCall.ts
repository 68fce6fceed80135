import type { FastifyInstance } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { allowed } from './allowed.ts';

/** Answers what is no call of an API: 405 where the address exists, else 404. */
export function noSuchCall(api: FastifyInstance, endpoints: readonly AnyEndpoint[], prefix: RegExp): void {
  const known = endpoints.map(({ method, path }) => ({
    method,
    path: new RegExp(`${prefix.source}${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
  }));
  api.setNotFoundHandler((request, reply) => {
    const asked = request.url.split('?')[0] ?? '';
    const methods = known.filter(({ path }) => path.test(asked)).map(({ method }) => method);
    if (methods.length === 0) throw new Problem('RESOURCE_NOT_FOUND');
    reply.header('allow', allowed([...methods, 'OPTIONS']));
    throw new Problem('METHOD_NOT_ALLOWED');
  });
}
