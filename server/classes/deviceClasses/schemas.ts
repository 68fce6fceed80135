import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaFault } from '#contract/quarantine.ts';
import { TookTooLong, withinCpu } from '#server/infra/pace/withinCpu.ts';
import { boundedWeight, schemaBytesMax, type Weight } from './schemas/schemaBounds.ts';
import { asAWhole, faultsOf, textOf, type Violation, violationOf } from './schemas/schemaFaults.ts';
import { replaceKeywords } from './schemas/schemaKeywords.ts';
import { beginPatterns, schemaPattern, TooManySteps } from './schemas/schemaPatterns.ts';
import { isPart, type Schema, SchemaMistake, sizeOf } from './schemas/schemaTree.ts';

export const faultsMax = 20;
/** Size of the cache of compiled schemas: about as many as a platform uses at a time. */
const compiledMax = 500;
/** Cost limit for one validation, in subschemas times values: about 50 ms in the worst case. */
const costMax = 1_000_000;
/** Processor time for compiling a schema; the largest usual ones take half of it on a slow machine. */
const compileMaxMs = 400;
/** Below this cost, all errors are collected; above it, only the first. */
const allFaultsCostMax = 100_000;

interface Compiled {
  weight: Weight;
  first: ValidateFunction;
  /** Compiled on the first error. */
  all?: ValidateFunction;
}

/** Cached by schema object, and by its text for one that was read again. */
const byObject = new WeakMap<object, Compiled>();
const byText = new Map<string, Compiled>();

/** Validates schemas against the meta-schema; never compiles user schemas. */
const judge = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

/**
 * Validates a schema and rejects ones that could be slow to validate against. Throws a `SchemaMistake` with the
 * position in the schema.
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
      deepest ? textOf(deepest) : 'This is not a valid JSON Schema.',
    );
  }
  try {
    const first = withinCpu(compileMaxMs, () => {
      const compiled = compile(schema, false);
      // Some schemas fail only when they are compiled or run.
      beginPatterns();
      for (const value of [null, '', 0, [], {}]) compiled(value);
      return compiled;
    });
    remember(schema, { weight, first });
  } catch (error) {
    if (error instanceof TookTooLong || error instanceof RangeError)
      throw new SchemaMistake('', 'This schema is too large to compile.');
    throw new SchemaMistake('', error instanceof Error ? error.message : String(error));
  }
}

/**
 * Validates a value against a schema that has passed `checkSchema`. Returns up to twenty errors, or none. A
 * value that would take too long to validate is one error as a whole.
 */
export function checkAgainst(schema: unknown, value: unknown): SchemaFault[] {
  return faultsOf(violationsOf(schema, value, allFaultsCostMax), faultsMax);
}

/**
 * Every violation, of each part of the schema. Beyond `allCostMax` only the first is found, which is enough to refuse a
 * value, but not to compare it with another.
 */
export function violationsOf(schema: unknown, value: unknown, allCostMax = costMax): Violation[] {
  if (schema === true) return [];
  if (schema === false) return [asAWhole('Nothing is allowed here.')];
  const compiled = compiledOf(schema as Record<string, unknown>);
  const cost = compiled.weight.once + compiled.weight.each * sizeOf(value);
  if (cost > costMax) return [tooMuch];
  try {
    beginPatterns();
    if (compiled.first(value)) return [];
    if (cost > allCostMax) return (compiled.first.errors ?? []).slice(-1).map(violationOf);
    compiled.all ??= compile(schema as Schema, true);
    beginPatterns();
    compiled.all(value);
    return (compiled.all.errors ?? []).map(violationOf);
  } catch (error) {
    if (error instanceof TooManySteps) return [tooMuch];
    // A message that cannot be validated must not fail the others of its batch.
    return [asAWhole('The message could not be checked against its schema.')];
  }
}

const tooMuch = asAWhole('The message is too large to be checked against its schema.');

function compiledOf(schema: Record<string, unknown>): Compiled {
  const known = byObject.get(schema) ?? byText.get(keyOf(schema));
  return remember(schema, known ?? { weight: boundedWeight(schema), first: compile(schema, false) });
}

function remember(schema: Schema, compiled: Compiled): Compiled {
  if (typeof schema === 'boolean' || byObject.has(schema)) return compiled;
  byObject.set(schema, compiled);
  const key = keyOf(schema);
  // Reinserting keeps the map in order of use (LRU).
  byText.delete(key);
  byText.set(key, compiled);
  if (byText.size > compiledMax) byText.delete(byText.keys().next().value ?? '');
  return compiled;
}

function keyOf(schema: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64url');
}

/**
 * Each schema gets its own compiler, which is collected with it: a shared one would keep parts of every schema.
 */
function compile(schema: Schema, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    // Own members only: a message with no such member must not match an inherited name such as `toString`.
    ownProperties: true,
    logger: false,
    // Optimizing would take most of the time, which grows with the square of the schema.
    code: { regExp: schemaPattern, optimize: false },
  });
  replaceKeywords(ajv);
  return ajv.compile(bare(schema));
}

/** Ignores `$id` and similar, which only say where the schema is from. */
function bare(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const { $id: _, $schema: __, ...rest } = schema;
  return rest;
}
