import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { ruleIdOf } from './ruleId.ts';

it.each([
  ['Warn of frost', 'warn-of-frost'],
  ['Größe > 3 °C!', 'grosse-3-c'],
  ['…', ''],
])('%s has the id %s', (name, id) => expect(ruleIdOf(name)).toBe(id));

it('the id of any name is one that can be chosen', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), name => {
      const id = ruleIdOf(name);
      expect(id === '' || (chosenIdPattern.test(id) && id.length <= idMax)).toBe(true);
    }),
  );
});
