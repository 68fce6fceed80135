import type { ErrorObject } from 'ajv';
import type { SchemaFault } from '#contract/deviceClass.ts';
import { escaped } from './schemaTree.ts';

const textMax = 300;

/** A validation error for people: the exact place, and what is required there. */
export function faultOf(error: ErrorObject): SchemaFault {
  const name = extraOf(error);
  const at = name === undefined ? error.instancePath : `${error.instancePath}/${escaped(name)}`;
  return { at, text: name === undefined ? sayFault(error) : 'is not allowed here' };
}

/** What the schema requires, as the second half of a sentence. */
export function sayFault({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'enum') return cut(`must be one of ${words(params.allowedValues)}`);
  if (keyword === 'const') return cut(`must be ${JSON.stringify(params.allowedValue)}`);
  if (keyword === 'uniqueItems') return 'must not contain the same item twice';
  if (keyword === 'false schema') return 'is not allowed here';
  return cut(message.replace('NOT', 'not'));
}

/** The name of the unexpected member. */
function extraOf({ params }: ErrorObject): string | undefined {
  const name: unknown = params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === 'string' ? name : undefined;
}

function words(values: unknown): string {
  return (Array.isArray(values) ? values : []).map(value => JSON.stringify(value)).join(', ');
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text;
}
