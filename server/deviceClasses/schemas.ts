import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaFault } from '#contract/deviceClass.ts';
import { boundedWeight, schemaBytesMax, type Weight } from './schemaBounds.ts';
import { faultOf, sayFault } from './schemaFaults.ts';
import { beginPatterns, linearPattern, TooManySteps } from './schemaPatterns.ts';
import { isPart, type Schema, SchemaMistake, sizeOf } from './schemaTree.ts';

export const faultsMax = 20;
/** Compiled ones that are kept for the next message; a platform has about so many in use at a time. */
const compiledMax = 500;
/** What a check may cost, in schemas asked of values: some 50 ms at the very worst. */
const costMax = 1_000_000;
/** Up to here every fault is looked for, else the first alone: there could be as many as the cost. */
const allFaultsCostMax = 100_000;

interface Compiled {
  weight: Weight;
  first: ValidateFunction;
  /** Made when something is at fault for the first time. */
  all?: ValidateFunction;
}

/** By the schema itself, and by its text for one that was read anew. */
const byObject = new WeakMap<object, Compiled>();
const byText = new Map<string, Compiled>();

/** Knows what a schema is; compiles nothing of a class's. */
const judge = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

/**
 * Refuses what is no schema, or one that could take long to check anything against. Throws a `SchemaMistake` with the
 * place in the schema.
 */
export function checkSchema(schema: unknown): void {
  if (typeof schema !== 'boolean' && !isPart(schema))
    throw new SchemaMistake('', 'This is not a valid JSON Schema.');
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBytesMax)
    throw new SchemaMistake('', `A schema can have at most ${schemaBytesMax / 1024} KiB.`);
  const weight = boundedWeight(schema);
  if (!judge.validateSchema(bare(schema))) {
    const deepest = (judge.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
    throw new SchemaMistake(
      deepest?.instancePath ?? '',
      deepest ? sayFault(deepest) : 'This is not a valid JSON Schema.',
    );
  }
  try {
    const first = compile(schema, false);
    // What the engine cannot run shows only when it is run.
    beginPatterns();
    for (const value of [null, '', 0, [], {}]) first(value);
    remember(schema, { weight, first });
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaMistake('', 'This schema is too large to compile.');
    throw new SchemaMistake('', error instanceof Error ? error.message : String(error));
  }
}

/**
 * What of a value breaks a schema that `checkSchema` has let pass; nothing when it fits. Up to twenty places. A value
 * that would take too long to check is at fault as a whole.
 */
export function checkAgainst(schema: unknown, value: unknown): SchemaFault[] {
  if (schema === true) return [];
  if (schema === false) return [{ at: '', text: 'nothing is allowed here' }];
  const compiled = compiledOf(schema as Record<string, unknown>);
  const cost = compiled.weight.once + compiled.weight.each * sizeOf(value);
  if (cost > costMax) return [tooMuch];
  try {
    beginPatterns();
    if (compiled.first(value)) return [];
    if (cost > allFaultsCostMax) return (compiled.first.errors ?? []).slice(-1).map(faultOf);
    compiled.all ??= compile(schema as Schema, true);
    beginPatterns();
    compiled.all(value);
    return distinct((compiled.all.errors ?? []).map(faultOf)).slice(0, faultsMax);
  } catch (error) {
    if (error instanceof TooManySteps) return [tooMuch];
    // One message that cannot be checked must not take those of others along.
    return [{ at: '', text: 'could not be checked against this schema' }];
  }
}

const tooMuch: SchemaFault = { at: '', text: 'is too large to be checked against this schema' };

function compiledOf(schema: Record<string, unknown>): Compiled {
  const known = byObject.get(schema) ?? byText.get(keyOf(schema));
  return remember(schema, known ?? { weight: boundedWeight(schema), first: compile(schema, false) });
}

function remember(schema: Schema, compiled: Compiled): Compiled {
  if (typeof schema === 'boolean' || byObject.has(schema)) return compiled;
  byObject.set(schema, compiled);
  const key = keyOf(schema);
  // Put in anew it is the youngest; the oldest makes room.
  byText.delete(key);
  byText.set(key, compiled);
  if (byText.size > compiledMax) byText.delete(byText.keys().next().value ?? '');
  return compiled;
}

function keyOf(schema: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64url');
}

/** With a compiler of its own, which goes with it: one for all would keep something of every schema it ever saw. */
function compile(schema: Schema, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    // A name such as `toString` is there only when the message has it.
    ownProperties: true,
    logger: false,
    code: { regExp: linearPattern },
  });
  // The one that comes with it compares every item with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isAsked: boolean, items: unknown[]) =>
      !isAsked || new Set(items.map(canonical)).size === items.length,
  });
  return ajv.compile(bare(schema));
}

/** Without what says where the schema itself is from. */
function bare(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const { $id: _, $schema: __, ...rest } = schema;
  return rest;
}

/** The same text for the same value, whatever the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPart(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function distinct(faults: SchemaFault[]): SchemaFault[] {
  return [...new Map(faults.map(fault => [`${fault.at} ${fault.text}`, fault])).values()];
}
