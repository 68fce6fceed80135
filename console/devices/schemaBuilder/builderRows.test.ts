import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BuilderRow, readRows, withNewRow, withoutRow, withRow } from './builderRows.ts';

const name = fc.stringMatching(/^[a-z]\w{0,6}$/);
const word = fc.string({ minLength: 1, maxLength: 6 });
const bound = fc.option(fc.integer({ min: -100, max: 100 }), { nil: undefined });
const common = { title: fc.oneof(fc.constant(''), word), isRequired: fc.boolean() };
const none = {
  unit: fc.constant(''),
  minimum: fc.constant(undefined),
  maximum: fc.constant(undefined),
  choices: fc.constant<string[]>([]),
};
const change = fc.oneof(
  fc.record({
    ...common,
    ...none,
    type: fc.constantFrom('number' as const, 'integer' as const),
    unit: fc.oneof(fc.constant(''), word),
    minimum: bound,
    maximum: bound,
  }),
  fc.record({ ...common, ...none, type: fc.constantFrom('text' as const, 'boolean' as const) }),
);
const choice = fc.record({
  ...common,
  ...none,
  type: fc.constant('choice' as const),
  choices: fc.uniqueArray(fc.stringMatching(/^[a-z°]{1,5}$/), { minLength: 1, maxLength: 3 }),
});
const property = fc.oneof(
  fc.record({
    type: fc.constantFrom('number', 'string', 'boolean'),
    title: word,
    multipleOf: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ enum: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('array'), items: fc.constant({ type: 'number' }) }),
  fc.record({ anyOf: fc.constant([{ type: 'number' }, { type: 'null' }]) }),
  fc.boolean(),
);
const schema = fc
  .dictionary(name, property, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
  .chain(properties =>
    fc.record({
      type: fc.constant('object'),
      required: fc.subarray(Object.keys(properties), { minLength: 1 }),
      additionalProperties: fc.boolean(),
      properties: fc.constant(properties),
    }),
  );

const rowsOf = (given: unknown): BuilderRow[] => {
  const rows = readRows(given);
  if ('reason' in rows) throw new Error(rows.reason);
  return rows;
};

describe('the builder and the JSON are one schema', () => {
  it('what is entered for a property is read back from the schema', () => {
    fc.assert(
      fc.property(name, fc.oneof(change, choice), (called, row) => {
        const made = withRow(withNewRow(undefined), 'property', { name: called, ...row });
        expect(rowsOf(made)).toEqual([{ name: called, ...row }]);
      }),
    );
  });

  it('a change touches nothing else of the schema, whatever it says', () => {
    fc.assert(
      fc.property(schema, fc.oneof(change, choice), fc.nat(), (given, row, number) => {
        const rows = rowsOf(given);
        const { name: changed = '' } = rows[number % rows.length] ?? {};
        const next = withRow(given, changed, row) as typeof given;
        const { properties, required: _, ...rest } = next;
        const { properties: before, required: __, ...was } = given;
        expect(rest).toEqual(was);
        expect(Object.keys(properties)).toEqual(Object.keys(before));
        for (const [one, part] of Object.entries(before))
          if (one !== changed) expect(properties[one]).toEqual(part);
        expect(rowsOf(next).filter(one => one.name !== changed)).toEqual(
          rows.filter(one => one.name !== changed),
        );
      }),
    );
  });

  it('reading and entering the same again is the same schema, and so is adding and removing a property', () => {
    fc.assert(
      fc.property(schema, given => {
        for (const { name: one, reason, choices: _, ...row } of rowsOf(given)) {
          if (reason === undefined) expect(withRow(given, one, row)).toEqual(given);
        }
        const added = withNewRow(given);
        const { name: last = '' } = rowsOf(added).at(-1) ?? {};
        expect(withoutRow(added, last)).toEqual(given);
      }),
    );
  });

  it('another type takes along what both have, and leaves the rest', () => {
    const given = {
      properties: { t: { type: 'number', title: 'Warmth', unit: '°C', minimum: 5, multipleOf: 0.5 } },
    };
    expect(withRow(given, 't', { type: 'integer' }).properties).toEqual({
      t: { type: 'integer', title: 'Warmth', unit: '°C', minimum: 5, multipleOf: 0.5 },
    });
    expect(withRow(given, 't', { type: 'boolean' }).properties).toEqual({
      t: { type: 'boolean', title: 'Warmth' },
    });
  });

  it.each([
    [{ type: 'array' }, 'it is a list'],
    [{ type: 'object', properties: {} }, 'it has properties of its own'],
    [{ type: ['number', 'null'] }, 'it has several types'],
    [{ enum: [1, 2] }, 'its values are not texts'],
    [{ enum: ['on, at once', 'off'] }, 'commas cannot separate its values'],
    [{ enum: ['', ' heat'] }, 'commas cannot separate its values'],
    [{ oneOf: [] }, 'it is one of several schemas'],
    [{ $ref: '#/$defs/x' }, 'it refers to another schema'],
    [true, 'it can be anything'],
  ])('%j stays JSON: %s', (part, reason) => {
    expect(rowsOf({ properties: { x: part } })).toMatchObject([{ name: 'x', reason }]);
  });

  it.each([[true], [{ type: 'array' }], [{ properties: [] }]])('%j as a whole stays JSON', given => {
    expect(readRows(given)).toHaveProperty('reason');
  });
});
