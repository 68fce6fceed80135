import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Reason, reasons } from '#contract/problem.ts';
import type { Api } from '#server/doors/reference/apis/api.ts';
import { reasonsOf } from '#server/doors/reference/reasonsOf.ts';
import type { JsonSchema } from './jsonSchema.ts';

const all = Object.keys(reasons) as Reason[];

/** The schema of every error. */
export const problemSchema: JsonSchema = {
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      description: 'For programs. Codes may be added but are never renamed.',
      enum: all,
    },
    message: { type: 'string', description: 'For people.' },
    context: { description: 'Details about the reason, if there are any.' },
    fields: {
      type: 'object',
      description: 'Errors of single fields: name to code.',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['reason', 'message'],
};

/** An example of each reason, as it is answered. */
export const reasonExamples: Record<string, unknown> = Object.fromEntries(
  all.map(reason => [reason, { summary: reasons[reason][1], value: problemExample(reason) }]),
);

function problemExample(reason: Reason): Record<string, unknown> {
  const fields = { INVALID_FIELDS: { email: 'INVALID' }, UNKNOWN_FIELD: { nmae: 'UNKNOWN_FIELD' } };
  return {
    reason,
    message: reasons[reason][1],
    ...(reason in fields && { fields: fields[reason as keyof typeof fields] }),
  };
}

/** The reasons that a call can fail with, by status. */
function reasonsByStatus(endpoint: AnyEndpoint, api: Api): [status: number, reasons: Reason[]][] {
  const found = Map.groupBy(reasonsOf(endpoint, api), reason => reasons[reason][0] as number);
  return [...found].sort(([a], [b]) => a - b);
}

export function problemResponses(endpoint: AnyEndpoint, api: Api): Record<string, unknown> {
  return Object.fromEntries(
    reasonsByStatus(endpoint, api).map(([status, found]) => [status, problemResponse(status, found)]),
  );
}

function problemResponse(status: number, found: readonly Reason[]): Record<string, unknown> {
  const retryAfter = { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } };
  return {
    description: found.map(reason => `\`${reason}\``).join(', '),
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          found.map(reason => [reason, { $ref: `#/components/examples/${reason}` }]),
        ),
      },
    },
  };
}
