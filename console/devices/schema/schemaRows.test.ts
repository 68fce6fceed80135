import { expect, it } from 'vitest';
import { messageRows, propertyRows, rowAtLine } from './schemaRows.ts';

const schema = {
  type: 'object',
  properties: { target: { type: 'number', minimum: 5 }, fan: { properties: { on: { type: 'boolean' } } } },
};
const text = JSON.stringify(schema, null, 2);

it('a row knows the lines of its property, and a line its row', () => {
  const rows = propertyRows(schema, text);
  expect(rows.map(({ id, lines }) => [id, ...lines])).toEqual([
    ['/properties/target', 4, 7],
    ['/properties/fan', 8, 14],
    ['/properties/fan/properties/on', 10, 12],
  ]);
  expect(rowAtLine(rows, 5)?.id).toBe('/properties/target');
  expect(rowAtLine(rows, 11)?.id).toBe('/properties/fan/properties/on');
  expect(rowAtLine(rows, 13)?.id).toBe('/properties/fan');
  expect(rowAtLine(rows, 1)).toBe(undefined);
});

it('schemas by name have a row for each name, and for each of its properties', () => {
  const schemas = { press: { title: 'Pressed', properties: { times: { type: 'integer' } } }, reset: true };
  const rows = messageRows(schemas, JSON.stringify(schemas, null, 2));
  expect(rows.map(({ id, message, property }) => [id, message?.name ?? property?.path])).toEqual([
    ['/press', 'press'],
    ['/press/properties/times', 'times'],
    ['/reset', 'reset'],
  ]);
  expect(rows.map(({ message }) => message?.isBare)).toEqual([false, undefined, true]);
  expect(messageRows(undefined, '')).toEqual([]);
});
