import type { AnyEndpoint } from '#contract/endpoint.ts';
import { limitMax, pageSizeDefault, pagingQuery } from '#contract/paging.ts';
import type { Api } from '#server/doors/reference/apis/api.ts';
import { exampleOf } from '#server/doors/reference/example.ts';
import { hasPrefix } from '#server/doors/reference/exampleIds.ts';
import { changes, takesIdempotencyKey, takesIfMatch } from '#server/doors/reference/reasonsOf.ts';
import { inputSchema, type JsonSchema } from './jsonSchema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

const guardReason =
  'Protects against cross-site request forgery: browsers do not let a foreign page add this header.';

/** Parameters shared by many calls. */
export const sharedParameters = {
  guard: {
    name: 'X-Console-Guard',
    in: 'header',
    required: true,
    description: guardReason,
    schema: { type: 'string', const: '1' },
  },
  guardOfSessions: {
    name: 'X-Console-Guard',
    in: 'header',
    required: false,
    description: `Required with a session, not with an access token. ${guardReason}`,
    schema: { type: 'string', const: '1' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The revision you last read, in quotes. If the resource has changed since, the call fails with `STALE`.',
    schema: { type: 'string' },
    example: '"3"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any unique text. Repeating a request with the same key within 24 hours returns the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'The number of rows to return.',
    schema: { type: 'integer', minimum: 1, maximum: limitMax, default: pageSizeDefault },
  },
  skip: {
    name: 'skip',
    in: 'query',
    required: false,
    description: 'The number of rows to skip.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  search: {
    name: 'search',
    in: 'query',
    required: false,
    description: 'Text to search for, ignoring case and accents.',
    schema: { type: 'string', maxLength: 200 },
  },
} as const satisfies Record<string, Parameter>;

/** Headers of successful answers. */
export const answerHeaders = {
  'Content-Range': {
    description:
      'The position of these rows and the total: `items 0-24/1034`, or `items */0` if there are none.',
    required: true,
    schema: { type: 'string' },
  },
  'Total-Is-Lower-Bound': {
    description: '`1`: the total is a lower bound, because counting stopped there.',
    schema: { type: 'string', const: '1' },
  },
  'Next-Cursor': {
    description: 'Send it as `cursor` to get the next page. Absent on the last page.',
    schema: { type: 'string' },
  },
  'Searched-To': {
    description:
      'The search ended here before the page was full. Send it as `end` to search further back. Absent if everything was searched, or the page is full.',
    schema: { type: 'string', format: 'date-time' },
  },
};

/** The headers that a successful answer of the call can have, by what it takes. */
export function answerHeadersOf({ list, query }: AnyEndpoint): (keyof typeof answerHeaders)[] {
  const { properties = {} } = inputSchema(query);
  const found: (keyof typeof answerHeaders)[] = [];
  if (list) found.push('Content-Range', 'Total-Is-Lower-Bound');
  if (list && 'cursor' in properties) found.push('Next-Cursor');
  if ('maxEntries' in properties) found.push('Searched-To');
  return found;
}

export function parametersOf(endpoint: AnyEndpoint, { hasGuard }: Api): (Parameter | { $ref: string })[] {
  const shared = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(endpoint.list ? [shared('limit'), shared('skip'), sortBy(endpoint.list), shared('search')] : []),
    ...(hasGuard && changes(endpoint) ? [shared(guardOf(endpoint))] : []),
    ...(takesIfMatch(endpoint) ? [shared('ifMatch')] : []),
    ...(takesIdempotencyKey(endpoint) ? [shared('idempotencyKey')] : []),
  ];
}

/** An access token is no cookie, which a foreign page could abuse; calls without one are made by pages. */
const guardOf = ({ tokenScope }: AnyEndpoint) => (tokenScope === 'none' ? 'guard' : 'guardOfSessions');

export function pathParameters({ path, access }: AnyEndpoint): Parameter[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return names.map((name, at) => {
    // The session of a user is no session of a developer.
    const owner = names[at - 1]?.replace(/Id$/, '') ?? (access === 'user' ? 'user' : '');
    const full = owner + name.charAt(0).toUpperCase() + name.slice(1);
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: exampleOf({ type: 'string' }, {}, hasPrefix(full) ? full : name),
    };
  });
}

/** The query parameters of a call, in addition to those of every list. */
export function queryParameters({ query }: AnyEndpoint): Parameter[] {
  const { properties = {}, required = [] } = inputSchema(query);
  return Object.entries(properties)
    .filter(([name]) => !(name in pagingQuery))
    .map(([name, given]) => {
      const { description, ...schema } = given as JsonSchema;
      return {
        name,
        in: 'query',
        required: required.includes(name),
        ...(description !== undefined && { description }),
        schema,
        example: exampleOf(schema, {}, name),
      };
    });
}

export function sortBy(list: NonNullable<AnyEndpoint['list']>): Parameter {
  return {
    name: 'sortBy',
    in: 'query',
    required: false,
    description: 'A field and a direction.',
    schema: {
      type: 'string',
      enum: list.sortBy.flatMap(field => [`${field}:asc`, `${field}:desc`]),
      default: list.default,
    },
  };
}
