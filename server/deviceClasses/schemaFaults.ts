import type { ErrorObject } from 'ajv';
import type { SchemaFault } from '#contract/deviceClass.ts';
import { escaped } from './schemaTree.ts';

const textMax = 300;

/** A fault as people read it: at the very place, and with what would have been right. */
export function faultOf(error: ErrorObject): SchemaFault {
  const name = extraOf(error);
  const at = name === undefined ? error.instancePath : `${error.instancePath}/${escaped(name)}`;
  return { at, text: name === undefined ? sayFault(error) : 'is not allowed here' };
}

/** What the schema asks for, in a sentence's second half. */
export function sayFault({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'enum') return cut(`must be one of ${words(params.allowedValues)}`);
  if (keyword === 'const') return cut(`must be ${JSON.stringify(params.allowedValue)}`);
  if (keyword === 'uniqueItems') return 'must not contain the same item twice';
  if (keyword === 'false schema') return 'is not allowed here';
  return cut(message.replace('NOT', 'not'));
}

/** The name of a member that should not be there. */
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
