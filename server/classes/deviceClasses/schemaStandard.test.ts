import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from './schemas/schemaPatterns.ts';
import { SchemaMistake } from './schemas/schemaTree.ts';
import { checkAgainst, checkSchema } from './schemas.ts';

const isValid = (schema: unknown, value: unknown) => checkAgainst(schema, value).length === 0;

function mistakeIn(schema: unknown): string {
  try {
    checkSchema(schema);
  } catch (error) {
    if (error instanceof SchemaMistake) return error.at;
    throw error;
  }
  return expect.fail('the schema was accepted');
}

it('a decimal that is a multiple of a decimal step is valid', () => {
  const schema = { multipleOf: 0.1 };
  checkSchema(schema);
  const tenths = Array.from({ length: 500 }, (_, i) => Number(((i + 1) / 10).toFixed(1)));
  expect(tenths.filter(value => !isValid(schema, value))).toEqual([]);
  expect(checkAgainst(schema, 21.75)).toEqual([{ at: '', text: 'The message must be a multiple of 0.1.' }]);
});

describe('a pattern means what it means in JavaScript', () => {
  const characters = ['a', 'é', ' ', '\u00a0', '\n', '\r', '\u2028', '\ufeff', '\u200b', '\v', ':', ']', '.'];
  it.each(['^\\s$', '^\\S$', '^[^\\s]$', '^[\\S ]$', '^[^\\S]$', '^.$', '^[.]$', '^[[:alpha:]$', '^\\p{L}$'])(
    '%s',
    pattern => {
      checkSchema({ pattern });
      const inJs = new RegExp(pattern, pattern.includes('\\p') ? 'u' : '');
      for (const text of characters)
        expect([text, isValid({ pattern }, text)]).toEqual([text, inJs.test(text)]);
    },
  );

  it.each(['\\Aa', 'a\\z', '(?i)a', '(?P<n>a)', '\\Qa\\E', '\\p{Greek}', '\\p{Letter}'])(
    'or is refused: %s',
    pattern => {
      expect(mistakeIn({ pattern })).toBe('/pattern');
    },
  );

  it('while a pattern of a rule is one of RE2', () => {
    expect(linearPattern('(?i)^hall\\z').test('HALL')).toBe(true);
    expect(() => linearPattern('(?=a)b')).toThrow('Look-around');
  });

  it('and the script of a letter can be asked for', () => {
    checkSchema({ pattern: '^\\p{Script=Greek}$' });
    expect(isValid({ pattern: '^\\p{Script=Greek}$' }, 'α')).toBe(true);
  });
});

it.each<[string, object, string]>([
  ['nullable', { properties: { a: { type: 'string', nullable: true } } }, '/properties/a/nullable'],
  ['a schema for __proto__', JSON.parse('{"properties":{"__proto__":{}}}'), '/properties/__proto__'],
  [
    'contains beside unevaluatedItems',
    { contains: { const: 1 }, unevaluatedItems: false },
    '/unevaluatedItems',
  ],
  [
    'contains under unevaluatedItems',
    { allOf: [{ anyOf: [{ contains: {} }] }], unevaluatedItems: false },
    '/unevaluatedItems',
  ],
])('what cannot be checked as the standard says is refused: %s', (_what, schema, at) => {
  expect(mistakeIn(schema)).toBe(at);
});

it('a member may be named like a keyword that is refused, and an item may contain a list', () => {
  checkSchema({ properties: { nullable: { type: 'boolean' } } });
  checkSchema({ prefixItems: [{ contains: {} }], unevaluatedItems: false });
});

interface Part {
  properties?: Record<string, true | { const: number }> | undefined;
  required?: string[] | undefined;
  allOf?: Part[] | undefined;
  anyOf?: Part[] | undefined;
  oneOf?: Part[] | undefined;
  not?: Part | undefined;
  if?: Part | undefined;
  then?: Part | undefined;
  else?: Part | undefined;
  dependentSchemas?: Record<string, Part> | undefined;
  $ref?: string | undefined;
  unevaluatedProperties?: false | undefined;
}
type Value = Record<string, number>;

/** The members that a schema evaluates, or undefined if the value does not match: the standard, word by word. */
function evaluated(schema: Part, value: Value, defs: Record<string, Part>): Set<string> | undefined {
  const names = new Set<string>();
  const apply = (part: Part | undefined) => {
    const found = part === undefined ? new Set<string>() : evaluated(part, value, defs);
    for (const name of found ?? []) names.add(name);
    return found !== undefined;
  };
  const isTrue: boolean[] = (schema.required ?? []).map(name => Object.hasOwn(value, name));
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    names.add(name);
    isTrue.push(inner === true || value[name] === inner.const);
  }
  for (const part of schema.allOf ?? []) isTrue.push(apply(part));
  if (schema.anyOf) isTrue.push(schema.anyOf.map(apply).some(Boolean));
  if (schema.oneOf) {
    const matching = schema.oneOf.filter(part => evaluated(part, value, defs));
    isTrue.push(matching.length === 1);
    matching.map(apply);
  }
  if (schema.not) isTrue.push(evaluated(schema.not, value, defs) === undefined);
  if (schema.if) isTrue.push(apply(schema.if) ? apply(schema.then) : apply(schema.else));
  for (const [name, part] of Object.entries(schema.dependentSchemas ?? {}))
    if (Object.hasOwn(value, name)) isTrue.push(apply(part));
  if (schema.$ref) isTrue.push(apply(defs[schema.$ref.slice('#/$defs/'.length)]));
  if (schema.unevaluatedProperties === false) isTrue.push(Object.keys(value).every(name => names.has(name)));
  return isTrue.every(Boolean) ? names : undefined;
}

const names = ['a', 'b', 'c', 'constructor'];
const name = fc.constantFrom(...names);
const some = <T>(what: fc.Arbitrary<T>) => fc.option(what, { nil: undefined, freq: 2 });
const { part } = fc.letrec<{ part: Part }>(tie => {
  const list = fc.array(tie('part'), { minLength: 1, maxLength: 3 });
  const inner = fc.oneof(fc.constant(true as const), fc.record({ const: fc.integer({ min: 0, max: 1 }) }));
  const leaf = {
    properties: some(fc.dictionary(name, inner, { maxKeys: 3 })),
    required: some(fc.uniqueArray(name, { maxLength: 1 })),
    $ref: fc.option(fc.constantFrom('#/$defs/x', '#/$defs/y'), { nil: undefined, freq: 6 }),
  };
  const whole = {
    ...leaf,
    allOf: some(list),
    anyOf: some(list),
    oneOf: some(list),
    not: some(tie('part')),
    if: some(tie('part')),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of the standard
    then: some(tie('part')),
    else: some(tie('part')),
    dependentSchemas: some(fc.dictionary(name, tie('part'), { maxKeys: 2 })),
    unevaluatedProperties: fc.option(fc.constant(false as const), { nil: undefined, freq: 4 }),
  };
  return { part: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.record(leaf), fc.record(whole)) };
});
const leafOnly = fc.record({ properties: fc.dictionary(name, fc.constant(true as const), { maxKeys: 2 }) });

it('members that no part of a schema evaluates are found as the standard says', () => {
  const value = fc.dictionary(name, fc.integer({ min: 0, max: 1 }), { maxKeys: 4 });
  fc.assert(
    fc.property(part, leafOnly, leafOnly, value, (drawn, x, y, given) => {
      const plain = JSON.parse(JSON.stringify({ ...drawn, unevaluatedProperties: false })) as Part;
      const defs = { x, y };
      const message = { ...given };
      expect(isValid({ ...plain, $defs: defs }, message)).toBe(evaluated(plain, message, defs) !== undefined);
    }),
    { numRuns: 150 },
  );
});
