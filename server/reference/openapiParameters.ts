import type { Endpoint } from '#contract/endpoint.ts';
import { limitMax, pageSizeDefault, pagingQuery } from '#contract/paging.ts';
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

/** Parameters that many calls take. */
export const sharedParameters = {
  guard: {
    name: 'X-Console-Guard',
    in: 'header',
    required: true,
    description: 'Proves that no foreign page sent the request: browsers do not let one add a header.',
    schema: { type: 'string', const: '1' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The revision last read, in quotes. When it has changed since, the call answers `STALE`.',
    schema: { type: 'string' },
    example: '"3"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Any text of your own. A repeat with the same key within 24 hours answers as the first did.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'How many rows to answer.',
    schema: { type: 'integer', minimum: 1, maximum: limitMax, default: pageSizeDefault },
  },
  skip: {
    name: 'skip',
    in: 'query',
    required: false,
    description: 'How many rows to leave out before the first.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  search: {
    name: 'search',
    in: 'query',
    required: false,
    description: 'Text to look for, whatever its case and accents.',
    schema: { type: 'string', maxLength: 200 },
  },
} as const satisfies Record<string, Parameter>;

/** Headers of a list's answer. */
export const listHeaders = {
  'Content-Range': {
    description:
      'Which rows these are, and of how many: `items 0-24/1034`, or `items */0` when there is none.',
    required: true,
    schema: { type: 'string' },
  },
  'Total-Is-Lower-Bound': {
    description: '`1`: there are at least that many; they were counted no further.',
    schema: { type: 'string', const: '1' },
  },
};

export function parametersOf(endpoint: Endpoint): (Parameter | { $ref: string })[] {
  const shared = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(endpoint.list ? [shared('limit'), shared('skip'), sortBy(endpoint.list), shared('search')] : []),
    ...(changes(endpoint) ? [shared('guard')] : []),
    ...(takesIfMatch(endpoint) ? [shared('ifMatch')] : []),
    ...(takesIdempotencyKey(endpoint) ? [shared('idempotencyKey')] : []),
  ];
}

export function pathParameters({ path }: Endpoint): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleOf({ type: 'string' }, {}, name),
  }));
}

/** What a call takes in its query string beyond what every list takes. */
export function queryParameters({ query }: Endpoint): Parameter[] {
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

export function sortBy(list: NonNullable<Endpoint['list']>): Parameter {
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
