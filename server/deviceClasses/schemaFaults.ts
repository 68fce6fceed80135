import type { ErrorObject } from 'ajv';
import type { SchemaFault } from '#contract/quarantine.ts';
import { faultSentence } from '#rules/faultSentence.ts';
import { escaped } from './schemaTree.ts';

/** A validation error for people: the exact place, and what is required there. */
export function faultOf(error: ErrorObject): SchemaFault {
  const name = extraOf(error);
  const { instancePath } = error;
  return { at: name === undefined ? instancePath : `${instancePath}/${escaped(name)}`, text: textOf(error) };
}

export function textOf({ instancePath: at, keyword, params, message }: ErrorObject): string {
  return faultSentence({ at, keyword, params, message });
}

/** The name of the unexpected member. */
function extraOf({ params }: ErrorObject): string | undefined {
  const name: unknown = params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === 'string' ? name : undefined;
}
