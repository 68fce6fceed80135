import { expect, it } from 'vitest';
import { emptyValues, type FieldTable, faultsIn, fieldsOf, wordsOf } from './fields.ts';

type Name = 'id' | 'name' | 'code';

const table: FieldTable<Name> = {
  id: {
    label: 'Id',
    required: true,
    check: id => (/^\w+$/.test(id) ? undefined : 'INVALID_FORMAT'),
    edit: false,
  },
  name: { label: 'Name', max: 100, create: { label: 'Name (optional)', hint: 'A readable name.' } },
  code: { label: 'Code', say: () => '•••', create: false },
};

it('each form has its own fields, with its own labels', () => {
  expect(fieldsOf(table, 'create').map(([name, { label }]) => [name, label])).toEqual([
    ['id', 'Id'],
    ['name', 'Name (optional)'],
  ]);
  expect(fieldsOf(table, 'edit').map(([name, { label, hint }]) => [name, label, hint])).toEqual([
    ['name', 'Name', undefined],
    ['code', 'Code', undefined],
  ]);
});

it('a new form is empty', () => {
  expect(emptyValues(table)).toEqual({ id: '', name: '', code: '' });
});

it.each([
  [{ id: ' ', name: '', code: '' }, { id: 'REQUIRED' }],
  [{ id: 'a b', name: '', code: '' }, { id: 'INVALID_FORMAT' }],
  [{ id: ' ab ', name: '', code: '' }, {}],
])('%o has the faults %o', (values, faults) => {
  expect(faultsIn(fieldsOf(table, 'create'), values)).toEqual(faults);
});

it('a field that the form does not have has no fault', () => {
  expect(faultsIn(fieldsOf(table, 'edit'), emptyValues(table))).toEqual({});
});

it("a difference uses the field's label, not the one of a form", () => {
  const words = wordsOf(table);
  expect(words.name).toBe('Name');
  expect(words.code).toMatchObject({ label: 'Code' });
});
