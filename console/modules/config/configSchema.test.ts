import { expect, it } from 'vitest';
import { choicesOf, initialOf, kindsOf, pruned, type Schema } from './configSchema.ts';
import { pointerOf, valueAt, withValueAt } from './pointers.ts';

const action: Schema = {
  oneOf: [
    {
      type: 'object',
      properties: {
        kind: { const: 'command' },
        name: { type: 'string' },
        expiresS: { type: 'integer', default: 600 },
      },
      required: ['kind', 'name'],
    },
    { type: 'object', title: 'Send e-mail', properties: { kind: { const: 'email' } }, required: ['kind'] },
  ],
  ui: { labels: { command: 'Send command' } },
};
const doc: Schema = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    method: { enum: ['POST', 'PUT'] },
    quiet: { anyOf: [{ $ref: '#/$defs/quiet' }, { type: 'null' }] },
    actions: { type: 'array', items: action, minItems: 1 },
    note: { type: 'string' },
    body: { type: 'string', ui: { when: { property: 'method', is: ['PUT'] } } },
  },
  required: ['url', 'method', 'actions'],
  $defs: { quiet: { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] } },
};

it('a form starts with the defaults and the required properties', () => {
  expect(initialOf(doc)).toEqual({
    url: '',
    method: 'POST',
    actions: [],
  });
  expect(initialOf(action)).toEqual({ kind: 'command', name: '', expiresS: 600 });
});

it('the kinds of a union are told apart by a constant, and labelled', () => {
  expect(kindsOf(action)?.kinds.map(({ value, label }) => [value, label])).toEqual([
    ['command', 'Send command'],
    ['email', 'Send e-mail'],
  ]);
  expect(choicesOf({ enum: ['a', 'b'], ui: { labels: { a: 'First' } } })?.map(({ label }) => label)).toEqual([
    'First',
    'B',
  ]);
});

it('empty optional properties and hidden properties are not sent', () => {
  const typed = {
    url: '',
    method: 'POST',
    note: '',
    body: 'left over',
    actions: [{ kind: 'command', name: 'x', expiresS: undefined }],
  };
  expect(pruned(doc, typed)).toEqual({ url: '', method: 'POST', actions: [{ kind: 'command', name: 'x' }] });
});

it('a secret that is removed is sent as null', () => {
  const ui = { control: 'secret' } as const;
  const schema: Schema = {
    type: 'object',
    properties: { header: { type: 'string', ui }, note: { type: 'string' } },
  };
  expect(pruned(schema, { header: null, note: null })).toEqual({ header: null });
});

it('pointers are the same as the server’s', () => {
  expect(pointerOf(['a/b', 0, '~'])).toBe('/a~1b/0/~0');
  const value = { list: [{ a: 1 }, { a: 2 }] };
  expect(withValueAt(value, ['list', 1, 'a'], 3)).toEqual({ list: [{ a: 1 }, { a: 3 }] });
  expect(withValueAt(value, ['quiet', 'from'], '22:00')).toEqual({ ...value, quiet: { from: '22:00' } });
  expect(withValueAt({ a: 1, b: 2 }, ['a'], undefined)).toEqual({ b: 2 });
  expect(valueAt(value, ['list', 1, 'a'])).toBe(2);
  expect(valueAt({}, ['constructor'])).toBeUndefined();
});
