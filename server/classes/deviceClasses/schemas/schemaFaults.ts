import type { ErrorObject } from 'ajv';
import type { SchemaFault } from '#contract/quarantine.ts';
import { faultSentence } from '#rules/faultSentence.ts';
import { escaped } from './schemaTree.ts';

/** What a part of a schema finds in a value. There can be very many: the sentence is only made for those that are told. */
export interface Violation {
  /** The same for the same violation of another value; undefined for a value that was not checked part by part. */
  key: string | undefined;
  keyword: string;
  /** JSON pointer to the value that the part of the schema applies to. */
  place: string;
  fault: () => SchemaFault;
}

export function violationOf(error: ErrorObject): Violation {
  const { instancePath: place, schemaPath, keyword, params } = error;
  const name = extraOf(error) ?? params.missingProperty ?? params.propertyName ?? '';
  return { key: `${schemaPath} ${place} ${name}`, keyword, place, fault: () => faultOf(error) };
}

export const asAWhole = (text: string): Violation => ({
  key: undefined,
  keyword: '',
  place: '',
  fault: () => ({ at: '', text }),
});

/** Several parts of a schema can say the same of one place. */
export function faultsOf(violations: readonly Violation[], max: number): SchemaFault[] {
  const faults = new Map<string, SchemaFault>();
  for (const { fault } of violations) {
    const { at, text } = fault();
    faults.set(`${at} ${text}`, { at, text });
    if (faults.size === max) break;
  }
  return [...faults.values()];
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
