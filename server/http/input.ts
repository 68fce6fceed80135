import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { pageSizeDefault } from '#contract/paging.ts';
import { Problem } from '#contract/problem.ts';
import type { PageAsked } from './route.ts';

/** A path's ids: bounded, and nothing a database would refuse. The same answer as for an id that does not exist. */
export function parseParams(given: Record<string, string>): Record<string, string> {
  if (!Object.values(given).every(isId)) throw new Problem('RESOURCE_NOT_FOUND');
  return given;
}

/** Text that could be the id of something. */
export function isId(text: string): boolean {
  return text.length <= 128 && !text.includes('\0') && text.isWellFormed();
}

export function parseShape<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw shapeProblem(parsed.error.issues, given);
}

/** Text in a query string is refused where the database would refuse it. */
export function checkQueryText(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const text = `${name}${String(value)}`;
    if (text.includes('\0') || !text.isWellFormed())
      throw new Problem('INVALID_FIELDS', { fields: { [name]: 'INVALID' } });
  }
}

export function pageAsked(endpoint: Endpoint, query: unknown): PageAsked {
  const { limit, skip, sortBy, search } = query as {
    limit?: number;
    skip?: number;
    sortBy?: string;
    search?: string;
  };
  const [field = '', order] = (sortBy ?? endpoint.list?.default ?? '').split(':');
  if (endpoint.list && !endpoint.list.sortBy.includes(field)) {
    throw new Problem('INVALID_FIELDS', { fields: { sortBy: 'INVALID' } });
  }
  return {
    limit: limit ?? pageSizeDefault,
    skip: skip ?? 0,
    sortBy: field,
    descending: order === 'desc',
    search: search?.trim() || undefined,
  };
}

function shapeProblem(issues: z.core.$ZodIssue[], given: unknown): Problem {
  const fields: Record<string, string> = {};
  let unknownOnly = true;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) fields[[...issue.path, key].join('.')] = 'UNKNOWN_FIELD';
      continue;
    }
    unknownOnly = false;
    fields[issue.path.join('.')] ??= fieldCode(issue, given);
  }
  // A body that is no object at all has no field to mark.
  if ('' in fields) return new Problem('MALFORMED');
  return new Problem(unknownOnly ? 'UNKNOWN_FIELD' : 'INVALID_FIELDS', { fields });
}

function fieldCode(issue: z.core.$ZodIssue, given: unknown): string {
  if (issue.code === 'too_small') return 'TOO_SHORT';
  if (issue.code === 'too_big') return 'TOO_LONG';
  if (issue.code !== 'invalid_type' && issue.code !== 'custom') return 'INVALID';
  if (valueAt(given, issue.path) === undefined) return 'REQUIRED';
  return issue.code === 'custom' ? 'INVALID' : 'WRONG_TYPE';
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
}
