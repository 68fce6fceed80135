import { expect, it } from 'vitest';
import { schemaExample } from './schemaExample.ts';
import { schemaFault } from './schemaFault.ts';
import { schemaFromReports, unlistedIn, withReported } from './schemaFromReports.ts';
import { propertiesOf } from './schemaProperties.ts';
import { rangeText, rangeWithUnit, typeText, unitOf } from './schemaWords.ts';
import { statedValues } from './statedValues.ts';
import { typedFault, typedJson } from './valueText.ts';

it('a schema becomes a table of its properties, and an object is followed by its own properties', () => {
  const schema = {
    type: 'object',
    required: ['temperature'],
    properties: {
      temperature: { type: 'number', title: 'Room temperature', description: 'Measured' },
      fan: { type: 'object', required: ['on'], properties: { on: { type: 'boolean' } } },
      'a/b': true,
    },
  };
  expect(
    propertiesOf(schema).map(({ path, pointer, title, isRequired }) => [path, pointer, title, isRequired]),
  ).toEqual([
    ['temperature', '/properties/temperature', 'Room temperature', true],
    ['fan', '/properties/fan', undefined, false],
    ['fan.on', '/properties/fan/properties/on', undefined, true],
    ['a/b', '/properties/a~1b', undefined, false],
  ]);
});

it.each([true, false, null, 7, {}, { properties: [] }, { type: 'array' }])(
  'a schema without properties is a table without rows: %j',
  schema => expect(propertiesOf(schema)).toEqual([]),
);

it.each([
  [{ type: 'number', minimum: -40, maximum: 125, unit: '°C' }, 'number', '−40 to 125', '°C'],
  [
    { type: 'number', minimum: 5, maximum: 30, multipleOf: 0.5 },
    'number',
    '5 to 30, in steps of 0.5',
    undefined,
  ],
  [{ enum: ['off', 'heat', 3] }, 'one of 3', 'off, heat, 3', undefined],
  [{ const: 'v1' }, 'fixed', 'v1', undefined],
  [{ type: 'boolean' }, 'true or false', undefined, undefined],
  [{ type: 'string', maxLength: 20 }, 'text', 'up to 20 characters', undefined],
  [{ type: 'string', minLength: 1 }, 'text', '1 or more characters', undefined],
  [{ type: ['string', 'null'] }, 'text or null', undefined, undefined],
  [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'list of text', 'up to 3 items', undefined],
  [{ type: 'array' }, 'list', undefined, undefined],
  [{ properties: {} }, 'object', undefined, undefined],
  [{ exclusiveMinimum: 0, maximum: 9 }, 'any', 'more than 0, up to 9', undefined],
  [{}, 'any', undefined, undefined],
])('%j in words', (schema, type, range, unit) => {
  expect([typeText(schema), rangeText(schema), unitOf(schema)]).toEqual([type, range, unit]);
});

it.each([
  [{ type: 'number', maximum: 30 }, 30, undefined],
  [{ type: 'number', maximum: 30 }, 31, 'must be at most 30'],
  [{ type: 'number', minimum: -5 }, -6, 'must be at least −5'],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'must be less than 1'],
  [{ type: 'number', multipleOf: 0.1 }, 0.3, undefined],
  [{ type: 'number', multipleOf: 0.5 }, 21.7, 'must be a multiple of 0.5'],
  [{ type: 'number', multipleOf: 1e-6 }, 1234.5678905, 'must be a multiple of 0.000001'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'number' }, '21', 'must be a number'],
  [{ type: 'boolean' }, 1, 'must be true or false'],
  [{ type: 'object' }, [], 'must be an object'],
  [{ type: ['string', 'null'] }, 1, 'must be text or null'],
  [{ enum: ['off', 'heat'] }, 'on', 'must be one of "off", "heat"'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{}, 'anything', undefined],
])('%j finds this fault in %j: %s', (schema, value, fault) => expect(schemaFault(schema, value)).toBe(fault));

it.each([
  [{ type: 'number', minimum: 5, maximum: 30 }, 17.5],
  [{ type: 'integer', minimum: 1, maximum: 60 }, 31],
  [{ type: 'number', minimum: 0, maximum: 8e-7, multipleOf: 1e-7 }, 4e-7],
  [{ type: 'number', minimum: 5, maximum: 30, multipleOf: 10 }, 20],
  [{ type: 'number' }, 1],
  [{ enum: ['off', 'heat'] }, 'off'],
  [{ type: 'string', default: 'x', examples: ['y'] }, 'y'],
  [
    { type: 'object', properties: { on: { type: 'boolean' }, modes: { type: 'array' } } },
    { on: true, modes: [] },
  ],
  [true, {}],
])('an example of %j', (schema, example) => expect(schemaExample(schema)).toEqual(example));

it('a schema is made from what devices report, and missing properties are added to an existing one', () => {
  const reported = {
    devices: 4,
    sampled: false,
    properties: [
      { name: 'celsius', devices: 4, types: ['number' as const] },
      { name: 'mode', devices: 2, types: ['null' as const, 'string' as const] },
    ],
  };
  const made = {
    type: 'object',
    required: ['celsius'],
    properties: { celsius: { type: 'number' }, mode: { type: ['null', 'string'] } },
  };
  expect(schemaFromReports(reported)).toEqual(made);
  const schema = { type: 'object', properties: { celsius: { type: 'number', unit: '°C' } }, title: 'State' };
  const missing = unlistedIn(schema, reported);
  expect(missing.map(({ name }) => name)).toEqual(['mode']);
  expect(withReported(schema, missing)).toEqual({
    ...schema,
    properties: { ...schema.properties, mode: { type: ['null', 'string'] } },
  });
  expect(unlistedIn(made, reported)).toEqual([]);
});

it.each([
  [{ type: 'integer' }, '9007199254740991', undefined],
  [{ type: 'integer' }, '9007199254740993', 'cannot be stored exactly'],
  [{ type: 'number', maximum: 30 }, '1e-400', 'cannot be stored exactly'],
  [{}, '{"serial":12345678901234567891}', 'cannot be stored exactly'],
  [{}, '{"a":1,"a":2}', 'has a key twice'],
  [{ type: 'string' }, '9007199254740993', undefined],
])('the text typed for %j is stored exactly or refused: %s', (schema: { type?: string }, text, fault) => {
  expect(typedFault(schema, text)).toBe(fault);
  expect(typedJson(schema, text)).toBe(schema.type === 'string' ? `"${text}"` : text);
});

it.each([
  [{ minimum: 0, maximum: 100, multipleOf: 10, unit: '%' }, '0 to 100 %, in steps of 10'],
  [{ type: 'number', unit: '°C' }, '°C'],
  [{ enum: ['low', 'high'], unit: '%' }, 'low, high'],
])('the unit of %j is in the right place', (schema, text) => {
  expect(rangeWithUnit(schema)).toBe(text);
});

it.each([
  [{ properties: { celsius: { type: 'number', minimum: 5, maximum: 30, examples: [21] } } }, {}],
  [{ properties: { mode: { enum: ['a', 'b'] }, on: { type: 'boolean' }, text: { type: 'string' } } }, {}],
  [{ properties: { mode: { default: 'eco' }, version: { const: 2 } } }, { mode: 'eco', version: 2 }],
  [{ properties: { fan: { properties: { speed: { default: 1 }, name: {} } } } }, { fan: { speed: 1 } }],
  [{ type: 'number', default: 4 }, {}],
  [undefined, {}],
])('of %j, only values that the schema states are filled in', (schema, values) => {
  expect(statedValues(schema)).toEqual(values);
});
