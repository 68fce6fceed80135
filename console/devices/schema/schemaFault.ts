import { isMultipleOf } from '#rules/state/multipleOf.ts';
import type { SchemaPart } from './schemaProperties.ts';
import { figure, numberOf, typeText } from './schemaWords.ts';

/**
 * The fault that a schema finds in a value, as the second half of a sentence. Everything else is checked by the server.
 */
export function schemaFault(schema: SchemaPart, value: unknown): string | undefined {
  if (Array.isArray(schema.enum) && !schema.enum.some(one => isSame(one, value)))
    return `must be one of ${schema.enum.map(one => JSON.stringify(one)).join(', ')}`;
  const types = [schema.type].flat().filter(type => typeof type === 'string');
  if (types.length > 0 && !types.some(type => isOf(type, value)))
    return `must be ${withArticle(typeText({ type: types }))}`;
  if (typeof value === 'number') return numberFault(schema, value);
  return typeof value === 'string' ? textFault(schema, value) : undefined;
}

function numberFault(schema: SchemaPart, value: number): string | undefined {
  const [minimum, maximum] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  const [above, below] = [numberOf(schema.exclusiveMinimum), numberOf(schema.exclusiveMaximum)];
  if (minimum !== undefined && value < minimum) return `must be at least ${figure(minimum)}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${figure(maximum)}`;
  if (above !== undefined && value <= above) return `must be greater than ${figure(above)}`;
  if (below !== undefined && value >= below) return `must be less than ${figure(below)}`;
  const step = numberOf(schema.multipleOf);
  return step && !isMultipleOf(value, step) ? `must be a multiple of ${step}` : undefined;
}

function textFault(schema: SchemaPart, value: string): string | undefined {
  const [min, max] = [numberOf(schema.minLength), numberOf(schema.maxLength)];
  const { length } = [...value];
  if (min !== undefined && length < min)
    return `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`;
  if (max !== undefined && length > max)
    return `must have at most ${max} ${max === 1 ? 'character' : 'characters'}`;
  return undefined;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function withArticle(words: string): string {
  if (/^(true|text|null)/.test(words)) return words;
  if (words === 'integer') return 'a whole number';
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
