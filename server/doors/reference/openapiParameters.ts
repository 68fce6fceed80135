import type { AnyEndpoint } from '#contract/endpoint.ts';
import { limitMax, pageSizeDefault, pagingQuery } from '#contract/paging.ts';
import type { Api } from './apis/api.ts';
import { exampleOf } from './example.ts';
import { inputSchema, type JsonSchema } from './jsonSchema.ts';
import { changes, takesIdempotencyKey, takesIfMatch } from './reasonsOf.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

/** Parameters shared by many calls. */
export const sharedParameters = {
  guard: {
    name: 'X-Console-Guard',
    in: 'header',
    required: true,
    description:
      'Protects against cross-site request forgery: browsers do not let a foreign page add this header.',
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

/** Headers of the answer of a list. */
export const listHeaders = {
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
};

export function parametersOf(endpoint: AnyEndpoint, { hasGuard }: Api): (Parameter | { $ref: string })[] {
  const shared = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(endpoint.list ? [shared('limit'), shared('skip'), sortBy(endpoint.list), shared('search')] : []),
    ...(hasGuard && changes(endpoint) ? [shared('guard')] : []),
    ...(takesIfMatch(endpoint) ? [shared('ifMatch')] : []),
    ...(takesIdempotencyKey(endpoint) ? [shared('idempotencyKey')] : []),
  ];
}

export function pathParameters({ path }: AnyEndpoint): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleOf({ type: 'string' }, {}, name),
  }));
}

/** The query parameters of a call, in addition to those of every list. */
export function queryParameters({ query }: AnyEndpoint): Parameter[] {
  const { properties = {}, required = [] } = inputSchema(query);
  return Object.entries(properties)
    .filter(([name]) => !(name in pagingQuery))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: schema as JsonSchema,
      example: exampleOf(schema as JsonSchema, {}, name),
    }));
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
