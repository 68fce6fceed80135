import type { z } from 'zod';
import type { SchemaFault } from '#contract/quarantine.ts';
import { faultSentence } from '#rules/faultSentence.ts';

type Issue = z.core.$ZodIssue;

/** The errors in the shape of a message, in the same words as schema violations. */
export function shapeFaults(issues: readonly Issue[], value: unknown): SchemaFault[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'unrecognized_keys') return [faultOf(issue, value)];
    return issue.keys.map(key => {
      const at = pointer(issue.path);
      const text = faultSentence({
        at,
        keyword: 'additionalProperties',
        params: { additionalProperty: key },
      });
      return { at: pointer([...issue.path, key]), text };
    });
  });
}

function faultOf(issue: Issue, value: unknown): SchemaFault {
  const at = pointer(issue.path);
  if (issue.path.length > 0 && valueAt(value, issue.path) === undefined) {
    const missingProperty = String(issue.path.at(-1));
    const within = pointer(issue.path.slice(0, -1));
    return { at, text: faultSentence({ at: within, keyword: 'required', params: { missingProperty } }) };
  }
  return { at, text: faultSentence({ at, message: wordsOf(issue), ...requirementOf(issue) }) };
}

/** The text for errors that no keyword describes: the rule declared for a field says more than its pattern. */
function wordsOf(issue: Issue): string {
  return issue.code === 'invalid_format' && issue.format === 'datetime'
    ? 'must be a time in UTC, such as 2026-11-20T08:30:00.000Z'
    : issue.message;
}

/** The requirement, as JSON Schema states it. */
function requirementOf(issue: Issue): { keyword: string; params: Record<string, unknown> } {
  switch (issue.code) {
    case 'invalid_type':
      return { keyword: 'type', params: { type: issue.expected === 'int' ? 'integer' : issue.expected } };
    case 'too_big':
      return { keyword: `max${measure(issue.origin)}`, params: { limit: issue.maximum } };
    case 'too_small':
      return { keyword: `min${measure(issue.origin)}`, params: { limit: issue.minimum } };
    case 'invalid_value':
      return { keyword: 'enum', params: { allowedValues: issue.values } };
    case 'invalid_union':
      return { keyword: 'enum', params: { allowedValues: 'options' in issue ? issue.options : [] } };
    case 'custom':
      // The only custom check on messages of devices is for an object with any members.
      return { keyword: 'type', params: { type: 'object' } };
    default:
      return { keyword: issue.code, params: {} };
  }
}

function measure(origin: string): string {
  if (origin === 'string') return 'Length';
  return origin === 'array' ? 'Items' : 'imum';
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
