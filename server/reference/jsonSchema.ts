import { z } from 'zod';
import { nouns } from '#contract/all.ts';
import { appNouns } from '#contract/appApi/all.ts';
import * as service from '#contract/service.ts';
import { jsonObject } from '#contract/shapes.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const refRoot = '#/components/schemas/';

/** The shapes that the contract exports under a name, such as `Project`. */
const names = z.registry<{ id: string }>();
for (const noun of [...Object.values(nouns), ...Object.values(appNouns), service]) {
  for (const [name, value] of Object.entries(noun)) {
    if (value instanceof z.ZodType && !names.has(value)) names.add(value, { id: name });
  }
}

/** What a call answers, as JSON Schema; shapes with a name are referred to. */
export function answerSchema(shape: z.ZodType): JsonSchema {
  return tidy(toJson(shape)).schema;
}

/** A reader must take fields that a later version adds, so an answer is never said to be complete. */
function toJson(shape: z.ZodType): JsonSchema {
  return z.toJSONSchema(shape, {
    metadata: names,
    io: 'output',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      nameObject(zodSchema, jsonSchema);
    },
  });
}

/** What a call takes. A caller sends the input side, before anything is trimmed or filled in. */
export function inputSchema(shape: z.ZodType): JsonSchema {
  return tidy(
    z.toJSONSchema(shape, {
      metadata: z.registry(),
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => nameObject(zodSchema, jsonSchema),
    }),
  ).schema;
}

/** A shape of our own says nothing of itself. */
function nameObject(shape: z.core.$ZodType, schema: JsonSchema): void {
  if (shape === jsonObject) schema.type = 'object';
}

/** The named shapes that answers refer to. */
export function namedSchemas(answers: readonly z.ZodType[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {};
  for (const shape of answers) {
    Object.assign(all, tidy(toJson(shape)).named);
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b)));
}

/** The named shape behind a reference. */
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

/** Points references to where the document has them, and drops what tells a reader nothing. */
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
  // The bounds of a number that JSON can carry exactly.
  if (key === 'maximum' || key === 'minimum') return Math.abs(Number(part)) === Number.MAX_SAFE_INTEGER;
  // The format says the same as the pattern, and can be read.
  if (key === 'pattern') return format !== undefined;
  return false;
}
