import type { AnyEndpoint } from '#contract/endpoint.ts';
import { mayCreate } from '#server/api/endpoints/answer.ts';
import { exampleOf, singular } from '#server/doors/reference/example.ts';
import { answerSchema, type JsonSchema, resolve } from './jsonSchema.ts';
import { answerHeadersOf } from './parameters.ts';

type Named = Record<string, JsonSchema>;
type Raw = NonNullable<AnyEndpoint['raw']>;

/** Answers that are not JSON: in words, and in HTTP terms. */
export const rawAnswers: Record<Raw, { status: 200 | 303; type?: string; sentence: string }> = {
  'event stream': {
    status: 200,
    type: 'text/event-stream',
    sentence: 'A stream of server-sent events, open until you close it.',
  },
  download: { status: 200, type: 'application/octet-stream', sentence: 'A file, streamed.' },
  redirect: { status: 303, sentence: 'Redirects to the address in `Location`.' },
};

/** 201 for a created resource, 202 for work that continues after the answer, 204 for an empty answer. */
export function successStatus(endpoint: AnyEndpoint, named: Named): 200 | 201 | 202 | 204 | 303 {
  const { raw, accepted, answer } = endpoint;
  if (raw) return rawAnswers[raw].status;
  if (accepted) return 202;
  const schema = answerSchema(answer);
  if (Object.keys(schema).length === 0) return 204;
  return mayCreate(endpoint) && 'id' in (resolve(schema, named).properties ?? {}) ? 201 : 200;
}

/** An example of the answer. An answer without a name of its own is about the last noun in the path. */
export function answerExample({ answer, path }: AnyEndpoint, named: Named): unknown {
  const noun = path.split('/').findLast(part => part !== '' && !part.startsWith(':')) ?? '';
  return exampleOf(answerSchema(answer), named, singular(noun));
}

/** The responses of a successful call. */
export function success(endpoint: AnyEndpoint, named: Named): Record<string, unknown> {
  const status = successStatus(endpoint, named);
  if (endpoint.raw) return { [status]: rawResponse(endpoint.raw) };
  if (status === 202) return { 202: { description: 'Accepted.' } };
  if (status === 204) return { 204: { description: 'Success.' } };
  const schema = answerSchema(endpoint.answer);
  const headers = Object.fromEntries(
    answerHeadersOf(endpoint).map(name => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const content = { 'application/json': { schema, example: answerExample(endpoint, named) } };
  const description = status === 201 ? 'Created.' : 'Success.';
  const hasHeaders = Object.keys(headers).length > 0;
  return { [status]: { description, ...(hasHeaders && { headers }), content } };
}

function rawResponse(raw: Raw): Record<string, unknown> {
  const { type, sentence } = rawAnswers[raw];
  const location = { Location: { schema: { type: 'string' } } };
  return type
    ? { description: sentence, content: { [type]: { schema: { type: 'string' } } } }
    : { description: sentence, headers: location };
}
