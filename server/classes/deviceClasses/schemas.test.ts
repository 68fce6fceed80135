import { describe, expect, it } from 'vitest';
import { SchemaMistake } from './schemas/schemaTree.ts';
import { checkAgainst, checkSchema, faultsMax } from './schemas.ts';

/** Where a schema is refused, and why. */
function mistake(schema: unknown): SchemaMistake {
  try {
    checkSchema(schema);
  } catch (error) {
    if (error instanceof SchemaMistake) return error;
    throw error;
  }
  return expect.fail('the schema was let pass');
}

const thermostat = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://nordlys.example/thermostat',
  type: 'object',
  properties: {
    temperature: { type: 'number', minimum: -50, maximum: 100 },
    mode: { enum: ['off', 'heat', 'cool'] },
    serial: { type: 'string', pattern: '^[A-Z]{2}\\d{4}$' },
    fan: { $ref: '#/$defs/fan' },
    days: { type: 'array', uniqueItems: true, items: { type: 'integer', minimum: 1, maximum: 7 } },
  },
  required: ['temperature'],
  additionalProperties: false,
  $defs: { fan: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
};

describe('a message', () => {
  it('that matches has no errors', () => {
    checkSchema(thermostat);
    const state = { temperature: 21.5, mode: 'heat', serial: 'AB1234', fan: { on: true }, days: [1, 2] };
    expect(checkAgainst(thermostat, state)).toEqual([]);
    expect(checkAgainst(true, 'anything')).toEqual([]);
    expect(checkAgainst({}, null)).toEqual([]);
  });

  it.each([
    [{}, '', 'temperature is required.'],
    [{ temperature: '21' }, '/temperature', 'temperature must be a number.'],
    [{ temperature: 200 }, '/temperature', 'temperature must be at most 100.'],
    [{ temperature: 1, mode: 'on' }, '/mode', 'mode must be one of "off", "heat", "cool".'],
    [{ temperature: 1, serial: 'ab1234' }, '/serial', 'serial must match the pattern ^[A-Z]{2}\\d{4}$.'],
    [{ temperature: 1, fan: {} }, '/fan', 'fan.on is required.'],
    [{ temperature: 1, days: [1, 1] }, '/days', 'days must not contain the same item twice.'],
    [{ temperature: 1, days: [1, 9] }, '/days/1', 'days[1] must be at most 7.'],
    [{ temperature: 1, 'a/b': 1 }, '/a~1b', 'a/b is not allowed.'],
    [[], '', 'The message must be an object.'],
  ])('that does not match gets the place and the error: %j', (value, at, text) => {
    expect(checkAgainst(thermostat, value)).toEqual([{ at, text }]);
  });

  it('gets several errors, but at most twenty', () => {
    expect(checkAgainst(thermostat, { temperature: 'x', mode: 1, days: 'y' })).toHaveLength(3);
    const schema = { additionalProperties: { type: 'number' } };
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, 'x']));
    expect(checkAgainst(schema, value)).toHaveLength(faultsMax);
    expect(checkAgainst(false, value)).toHaveLength(1);
  });

  it('has only its own members, not those that every object inherits', () => {
    const schema = { required: ['toString'], properties: { toString: true }, additionalProperties: false };
    checkSchema(schema);
    expect(checkAgainst(schema, {})).toEqual([{ at: '', text: 'toString is required.' }]);
    expect(checkAgainst(schema, { toString: 1 })).toEqual([]);
    const proto = JSON.parse('{"toString":1,"__proto__":{"polluted":1}}');
    expect(checkAgainst(schema, proto)).toEqual([{ at: '/__proto__', text: '__proto__ is not allowed.' }]);
  });
});

describe('a schema', () => {
  it.each<[string, unknown, string]>([
    ['a list', [], ''],
    ['a type that is none', { properties: { a: { type: 'strin' } } }, '/properties/a/type'],
    ['a bound that is a text', { minimum: '1' }, '/minimum'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema'],
    ['a reference to the outside', { items: { $ref: 'http://127.0.0.1/x' } }, '/items/$ref'],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, '/$ref'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref'],
    ['a reference to data', { const: { type: 'x' }, items: { $ref: '#/const' } }, '/items/$ref'],
    ['a reference to itself', { $ref: '#' }, '/$ref'],
    ['an anchor', { $defs: { a: { $anchor: 'a' } } }, '/$defs/a/$anchor'],
    ['a dynamic reference', { $dynamicRef: '#a' }, '/$dynamicRef'],
    ['an id within', { properties: { a: { $id: 'x' } } }, '/properties/a/$id'],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern'],
    ['a pattern that looks ahead', { pattern: '(?=a)b' }, '/pattern'],
    ['a pattern that refers back', { patternProperties: { '(a)\\1': true } }, '/patternProperties'],
    ['a pattern of many repeats', { pattern: '(a{30}){30}' }, '/pattern'],
  ])('with %s is refused with the place', (_what, schema, at) => {
    const { at: place, message } = mistake(schema);
    expect([place, message.length > 0]).toEqual([at, true]);
  });

  it('that refers back to itself through others is refused', () => {
    const $defs = { a: { items: { $ref: '#/$defs/b' } }, b: { properties: { x: { $ref: '#/$defs/a' } } } };
    expect(mistake({ $ref: '#/$defs/a', $defs }).message).toBe('A schema cannot refer to itself.');
    expect(mistake({ properties: { child: { $ref: '#' } } }).message).toBe(
      'A schema cannot refer to itself.',
    );
  });

  it.each(['anyOf', 'allOf', 'oneOf'])('that doubles with every reference is refused: %s', keyword => {
    const $defs: Record<string, unknown> = { d0: { type: 'number' } };
    const twice = (n: number) => ({ [keyword]: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }] });
    for (let i = 1; i <= 25; i++) $defs[`d${i}`] = twice(i - 1);
    expect(mistake({ ...twice(25), $defs }).message).toMatch(/5,000 parts/);
    // An unused definition costs nothing to check; it counts as soon as it is used.
    expect(mistake({ $defs: { ...$defs, d26: twice(25) } }).message).toMatch(/5,000 parts/);
  });

  it('that is deeper than 32 levels or larger than 64 KiB is refused', () => {
    const nested = (depth: number): unknown => (depth === 0 ? {} : { items: nested(depth - 1) });
    checkSchema(nested(31));
    expect(mistake(nested(32)).message).toMatch(/32 levels/);
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`d${i}`, i ? { items: { $ref: `#/$defs/d${i - 1}` } } : {}]),
    );
    expect(mistake({ $ref: '#/$defs/d39', $defs }).message).toMatch(/32 levels/);
    checkSchema({ description: 'x'.repeat(60_000) });
    expect(mistake({ description: 'x'.repeat(70_000) }).message).toMatch(/64 KiB/);
  });

  it('may use the keywords of JSON Schema 2020-12', () => {
    checkSchema({
      type: ['object', 'null'],
      prefixItems: [true, { not: {} }],
      contains: { const: 1 },
      propertyNames: { pattern: '^[a-z]+$' },
      if: { required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of the standard
      then: { dependentRequired: { a: ['b'] } },
      else: { dependentSchemas: { c: { minProperties: 2 } } },
      unevaluatedProperties: false,
      default: { $ref: 'no reference, but data' },
      examples: [{ pattern: '(' }],
      title: 'Anything',
      format: 'date-time',
    });
  });
});

/** The CPU time of this process alone, whatever else the machine does. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('no message and no schema delays the others', () => {
  const manyNumbers = Array.from({ length: 60_000 }, () => 1);
  const letters = 'ab'.repeat(60_000);
  const manyMembers = Object.fromEntries(manyNumbers.slice(0, 10_000).map((one, i) => [`k${i}`, one]));
  it.each<[string, unknown, unknown]>([
    [
      'thousands of alternatives for thousands of items',
      { items: { anyOf: alternatives(1_000) } },
      manyNumbers,
    ],
    ['as many alternatives as are looked at', { items: { anyOf: alternatives(8) } }, manyNumbers],
    ['one alternative of each must fit', { items: { oneOf: alternatives(8) } }, manyNumbers],
    ['all items different', { uniqueItems: true }, manyNumbers.map((_, i) => ({ i, j: [i] }))],
    ['a pattern that tries all ways', { pattern: '^(a+|b+)*(ab|ba)*(a[ab]{100})c$' }, `${letters}xc`],
    ['as many steps as it may', { pattern: 'a[ab]{200}[cd]$' }, `${letters.slice(0, 20_000)}xc`],
    [
      'many patterns',
      { anyOf: Array.from({ length: 200 }, (_, i) => ({ pattern: `a[ab]{99}[${i % 10}]` })) },
      letters,
    ],
    [
      'all items different, over and over',
      { allOf: again(150, { uniqueItems: true }) },
      manyNumbers.map((_, i) => i),
    ],
    ['members counted over and over', { allOf: again(400, { maxProperties: 1e6 }) }, manyMembers],
    ['a length counted over and over', { allOf: again(900, { maxLength: 1e6 }) }, letters],
    ['patterns for names', { patternProperties: { '^(a|aa)+$': true } }, { [`${letters}!`]: 1 }],
    ['a fault in every item', { items: { type: 'string' } }, manyNumbers],
  ])('%s', (_what, schema, value) => {
    checkSchema(schema);
    checkAgainst(schema, 1);
    expect(cpuMs(() => checkAgainst(schema, value))).toBeLessThan(1_000);
  });

  function again(count: number, schema: object): unknown[] {
    return Array.from({ length: count }, () => ({ ...schema }));
  }

  function alternatives(count: number): unknown[] {
    const wrong = Array.from({ length: count - 1 }, (_, i) => ({
      type: 'object',
      properties: { [`p${i}`]: {} },
    }));
    return [...wrong, { type: 'number' }];
  }

  it('a value that takes too long to check is one error as a whole, and the next message is not affected', () => {
    const whole = [{ at: '', text: 'The message is too large to be checked against its schema.' }];
    const schema = { items: { pattern: '(a|b){50}c' } };
    checkSchema(schema);
    expect(checkAgainst(schema, [letters])).toEqual(whole);
    expect(checkAgainst(schema, [`${'ab'.repeat(25)}c`])).toEqual([]);
    const many = { items: { anyOf: alternatives(100) } };
    checkSchema(many);
    expect(checkAgainst(many, manyNumbers)).toEqual(whole);
    expect(checkAgainst(many, [1])).toEqual([]);
  });

  it('a schema that the engine cannot run is refused when it is checked', () => {
    const schema = { items: { allOf: again(2_000, { type: 'string' }) } };
    expect(mistake(schema).message).toBe('This schema is too large to compile.');
  });

  it('a schema that would take seconds to compile is refused, and the next one is not', () => {
    const branches = Array.from({ length: 1_200 }, (_, n) => ({ properties: { [`k${n}`]: { minimum: n } } }));
    const schema = { allOf: branches, unevaluatedProperties: false };
    expect(mistake(schema).message).toBe('This schema is too large to compile.');
    checkSchema({ allOf: branches.slice(0, 20), unevaluatedProperties: false });
  });

  it('hundreds of members with their own bounds are checked', () => {
    const names = Array.from({ length: 500 }, (_, i) => `name${i}`);
    const text = { type: 'string', minLength: 1, maxLength: 100, pattern: '^[a-z]+$' };
    const properties = Object.fromEntries(names.map(name => [name, text]));
    const schema = { type: 'object', properties, required: names, additionalProperties: false };
    checkSchema(schema);
    const value = Object.fromEntries(names.map(name => [name, 'abcdefghijklmnop']));
    expect(checkAgainst(schema, value)).toEqual([]);
    expect(checkAgainst(schema, { ...value, name7: '' })).not.toEqual([]);
  });

  it('the largest schema is validated and compiled in time', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [`name${i}`, { type: 'number', minimum: i, maximum: i + 1 }]),
    );
    expect(cpuMs(() => checkSchema({ properties }))).toBeLessThan(2_000);
  });
});
