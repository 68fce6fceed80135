import { listText } from './text/listText.ts';

/** A violation of a JSON Schema. Keywords and their parameters have the names that JSON Schema validators use. */
export interface Fault {
  /** JSON pointer to the value, even if the value is not allowed at all. */
  at: string;
  keyword: string;
  params: Readonly<Record<string, unknown>>;
  /** The validator's message, used as the second half of the sentence for unknown keywords. */
  message?: string | undefined;
}

const textMax = 300;

/** A violation as a sentence that names the value: "celsius must be at most 30." */
export function faultSentence({ at, keyword, params, message = 'is not valid' }: Fault): string {
  const missing = keyword === 'required' ? params.missingProperty : undefined;
  if (typeof missing === 'string') return sentence(named(at, missing), 'is required');
  const { property, missingProperty } = params;
  if (keyword === 'dependentRequired' || keyword === 'dependencies')
    return sentence(named(at, String(missingProperty)), `is required with ${String(property)}`);
  const name = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof name === 'string') return sentence(named(at, name), 'is not allowed');
  return sentence(at === '' ? 'The message' : named(at), requirement(keyword, params) ?? message);
}

/** The requirement, as the second half of a sentence. */
function requirement(keyword: string, params: Fault['params']): string | undefined {
  const bound = bounds[keyword];
  if (bound) return bound(params.limit);
  switch (keyword) {
    case 'type':
      return `must be ${typeWords(params.type)}`;
    case 'enum':
      return `must be one of ${list(params.allowedValues)}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'pattern':
      return `must match the pattern ${String(params.pattern)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params.multipleOf)}`;
    case 'uniqueItems':
      return 'must not contain the same item twice';
    case 'contains':
      return `must contain ${containedWords(params)}`;
    case 'propertyNames':
      return `must not have a member named ${JSON.stringify(params.propertyName)}`;
    case 'anyOf':
      return 'must match one of the alternatives of its schema';
    case 'oneOf':
      return 'must match exactly one of the alternatives of its schema';
    case 'not':
      return 'must not match what its schema excludes';
    case 'false schema':
      return 'is not allowed';
    default:
      return undefined;
  }
}

const bounds: Record<string, (limit: unknown) => string> = {
  maximum: limit => `must be at most ${limit}`,
  minimum: limit => `must be at least ${limit}`,
  exclusiveMaximum: limit => `must be less than ${limit}`,
  exclusiveMinimum: limit => `must be more than ${limit}`,
  maxLength: limit => `must have at most ${many(limit, 'character')}`,
  minLength: limit => `must have at least ${many(limit, 'character')}`,
  maxItems: limit => `must have at most ${many(limit, 'item')}`,
  minItems: limit => `must have at least ${many(limit, 'item')}`,
  items: limit => `must have at most ${many(limit, 'item')}`,
  unevaluatedItems: limit => `must have at most ${many(limit, 'item')}`,
  maxProperties: limit => `must have at most ${many(limit, 'member')}`,
  minProperties: limit => `must have at least ${many(limit, 'member')}`,
};

const types: Record<string, string> = {
  number: 'a number',
  integer: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function typeWords(type: unknown): string {
  const all = (Array.isArray(type) ? type : String(type).split(',')).map(one => types[one] ?? String(one));
  return listText(all, 'or');
}

function containedWords({ minContains, maxContains }: Fault['params']): string {
  if (maxContains !== undefined)
    return `${minContains} to ${many(maxContains, 'item')} that match its schema`;
  return minContains === 1
    ? 'an item that matches its schema'
    : `at least ${many(minContains, 'item')} that match its schema`;
}

function list(values: unknown): string {
  return (Array.isArray(values) ? values : []).map(value => JSON.stringify(value)).join(', ');
}

const many = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `/fan/speeds/0` → `fan.speeds[0]`; `member` is appended as a further name. */
function named(at: string, member?: string): string {
  const names = at
    .split('/')
    .slice(1)
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (member !== undefined) names.push(member);
  return names
    .map((name, i) => (/^\d+$/.test(name) && i > 0 ? `[${name}]` : `${i > 0 ? '.' : ''}${name}`))
    .join('');
}

function sentence(subject: string, rest: string): string {
  const text = `${subject} ${rest}`;
  return text.length >= textMax ? `${text.slice(0, textMax - 2)}….` : `${text}.`;
}
