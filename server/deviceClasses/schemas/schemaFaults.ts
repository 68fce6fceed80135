import type { ErrorObject } from 'ajv';
import type { SchemaFault } from '#contract/quarantine.ts';
import { faultSentence } from '#rules/faultSentence.ts';
import { escaped } from './schemaTree.ts';

/** A fault, and the part of the schema that found it: two parts can say the same of one place. */
export interface Violation extends SchemaFault {
  by: string;
  keyword: string;
}

export function violationOf(error: ErrorObject): Violation {
  return { ...faultOf(error), by: error.schemaPath, keyword: error.keyword };
}

/** A validation error for people: the exact place, and what is required there. */
function faultOf(error: ErrorObject): SchemaFault {
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
