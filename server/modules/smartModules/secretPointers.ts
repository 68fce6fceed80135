import { toJSONSchema, type z } from 'zod';
import type { ConfigDoc } from '#contract/moduleConfig.ts';

type Json = Record<string, unknown>;

/** Made once, because that takes longer than all the rest of saving a module. */
const schemas = new WeakMap<z.ZodType, ConfigDoc['schema']>();

/** The JSON Schema of a configuration, with the hints for a form. */
export function configSchema(config: z.ZodType): ConfigDoc['schema'] {
  const schema = schemas.get(config) ?? makeSchema(config);
  schemas.set(config, schema);
  return schema;
}

function makeSchema(config: z.ZodType): ConfigDoc['schema'] {
  const { $schema: _, ...schema } = toJSONSchema(config, { io: 'input', unrepresentable: 'any' });
  return schema as ConfigDoc['schema'];
}

/** The paths of the secrets in this schema. */
export function secretPaths(schema: Json, path: readonly string[] = []): string[][] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return properties.flatMap(([name, property]) => {
    const here = [...path, name];
    const { control } = (property.ui ?? {}) as { control?: string };
    return control === 'secret' ? [here] : secretPaths(property, here);
  });
}

/**
 * Moves the secrets out of a configuration, by JSON pointer. `removed`: pointers of secrets that are null, or not a
 * string.
 */
export function takeSecrets(
  config: Json,
  paths: readonly string[][],
): { open: Json; secrets: Map<string, string>; removed: Set<string> } {
  const open = structuredClone(config);
  const secrets = new Map<string, string>();
  const removed = new Set<string>();
  for (const path of paths) {
    const holder = holderOf(open, path);
    const name = path.at(-1) ?? '';
    const value = holder?.[name];
    if (!holder || !Object.hasOwn(holder, name)) continue;
    if (typeof value !== 'string') removed.add(pointerOf(path));
    else if (value !== '') secrets.set(pointerOf(path), value);
    // A value of another type stays, so that validation refuses it.
    if (typeof value === 'string' || value === null) delete holder[name];
  }
  return { open, secrets, removed };
}

/** Puts the secrets back into their places, if these still exist. */
export function putSecrets(config: Json, secrets: Readonly<Record<string, string>>): Json {
  const whole = structuredClone(config);
  for (const [pointer, value] of Object.entries(secrets)) {
    const path = pointer.slice(1).split('/').map(unescaped);
    const holder = holderOf(whole, path);
    if (holder) holder[path.at(-1) ?? ''] = value;
  }
  return whole;
}

export const pointerOf = (path: readonly PropertyKey[]) =>
  path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function holderOf(config: Json, path: readonly string[]): Json | undefined {
  let holder: unknown = config;
  for (const part of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, part)) return undefined;
    holder = (holder as Json)[part];
  }
  return typeof holder === 'object' && holder !== null && !Array.isArray(holder)
    ? (holder as Json)
    : undefined;
}
