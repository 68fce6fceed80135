import type { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { limitMax, pageSizeDefault } from '#contract/paging.ts';
import { Problem } from '#contract/problem.ts';
import { rangeSentences } from '#contract/shapes.ts';
import type { PageAsked } from './route.ts';

/**
 * Path ids: bounded, and safe for the database. An invalid one gets the same answer as one that does not exist.
 */
export function parseParams(given: Record<string, string>): Record<string, string> {
  const isThere = Object.entries(given).every(([name, text]) =>
    // A pair key is validated where it is used.
    name.endsWith('Id') ? isId(text) : isText(text),
  );
  if (!isThere) throw new Problem('RESOURCE_NOT_FOUND');
  return given;
}

/** Text that could be an id. */
export function isId(text: string): boolean {
  return text.length <= 128 && isText(text);
}

/** Text that PostgreSQL can store. */
function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export function parseShape<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw shapeProblem(parsed.error.issues, given);
}

/** Rejects text in a query string that PostgreSQL could not process. */
export function checkQueryText(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!isText(`${name}${String(value)}`))
      throw new Problem('INVALID_FIELDS', { fields: { [name]: 'INVALID' } });
  }
}

export function pageAsked(endpoint: AnyEndpoint, query: unknown): PageAsked {
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
    limit: limit ?? (endpoint.list?.whole ? limitMax : pageSizeDefault),
    skip: skip ?? 0,
    sortBy: field,
    descending: order === 'desc',
    search: search?.trim() || undefined,
  };
}

function shapeProblem(issues: z.core.$ZodIssue[], given: unknown): Problem {
  // Field names are arbitrary, including `__proto__`, so a map is used.
  const found = new Map<string, string>();
  let unknownOnly = true;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) found.set([...issue.path, key].join('.'), 'UNKNOWN_FIELD');
      continue;
    }
    unknownOnly = false;
    const name = issue.path.join('.');
    if (!found.has(name)) found.set(name, fieldCode(issue, given));
  }
  // A body that is not an object has no field to mark.
  if (found.has('')) return new Problem('MALFORMED');
  const fields = Object.fromEntries(found);
  const [fault] = issues;
  if (fault && issues.every(isOfRange))
    return new Problem('INVALID_RANGE', { message: fault.message, fields });
  return new Problem(unknownOnly ? 'UNKNOWN_FIELD' : 'INVALID_FIELDS', { fields });
}

const isOfRange = ({ message }: z.core.$ZodIssue) => ofRange.has(message);
const ofRange = new Set(Object.values(rangeSentences));

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
