import { z } from 'zod';
import { nouns } from '#contract/all.ts';
import { appNouns } from '#contract/appApi/all.ts';
import * as service from '#contract/service.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const refRoot = '#/components/schemas/';

/** The shapes that the contract exports by name, such as `Project`. */
const names = z.registry<{ id: string }>();
for (const noun of [...Object.values(nouns), ...Object.values(appNouns), service]) {
  for (const [name, value] of Object.entries(noun)) {
    if (value instanceof z.ZodType && !names.has(value)) names.add(value, { id: name });
  }
}

/** The answer of a call as JSON Schema, with references to named shapes. */
export function answerSchema(shape: z.ZodType): JsonSchema {
  return tidy(toJson(shape)).schema;
}

/** Readers must accept fields that a later version adds, so answers are not described as complete. */
function toJson(shape: z.ZodType): JsonSchema {
  return z.toJSONSchema(shape, {
    metadata: names,
    io: 'output',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      addNotes(zodSchema, jsonSchema);
    },
  });
}

/** The input of a call as the caller sends it, before trimming and defaults. */
export function inputSchema(shape: z.ZodType): JsonSchema {
  return tidy(
    z.toJSONSchema(shape, {
      metadata: z.registry(),
      io: 'input',
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        addNotes(zodSchema, jsonSchema);
      },
    }),
  ).schema;
}

/** What the contract notes at a field with `meta`: an example, a sentence for the reader, the type of a custom shape. */
function addNotes(shape: z.core.$ZodType, schema: JsonSchema): void {
  const { examples, description, type } = z.globalRegistry.get(shape) ?? {};
  if (Array.isArray(examples)) schema.examples = examples;
  if (type === 'object') schema.type = type;
  if (description !== undefined) schema.description = description;
}

/** The named shapes that answers refer to. */
export function namedSchemas(answers: readonly z.ZodType[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {};
  for (const shape of answers) {
    Object.assign(all, tidy(toJson(shape)).named);
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b)));
}

/** The named shape that a reference points to. */
export function resolve(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const name = nameOf(schema);
  return (name && named[name]) || schema;
}

export function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(refRoot) ? $ref.slice(refRoot.length) : undefined;
}

function tidy({ $schema: _, $defs = {}, ...schema }: JsonSchema) {
  return {
    schema: clean(schema) as JsonSchema,
    named: clean($defs) as Record<string, JsonSchema>,
  };
}

/** Points references to their place in the document, and drops what does not help a reader. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !isNoise(key, part, value))
      .map(([key, part]) => [key, key === '$ref' ? String(part).replace('#/$defs/', refRoot) : clean(part)]),
  );
}

function isNoise(key: string, part: unknown, { format }: { format?: unknown }): boolean {
  // The limits of numbers that JSON can represent exactly.
  if (key === 'maximum' || key === 'minimum') return Math.abs(Number(part)) === Number.MAX_SAFE_INTEGER;
  // The format is equivalent to the pattern, and readable.
  if (key === 'pattern') return format !== undefined;
  return false;
}
