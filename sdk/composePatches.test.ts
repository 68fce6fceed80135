import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { composePatches } from './composePatches.ts';
import type { JsonObject } from './json.ts';

const { object } = fc.letrec<{ value: unknown; object: JsonObject }>(tie => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 1, 'x', [1]), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }) as never,
}));

it('a composed report has the same effect as two reports in sequence', () => {
  fc.assert(
    fc.property(object, object, object, (state, first, second) => {
      const both = composePatches(first, second);
      fc.pre(both !== undefined);
      expect(mergePatch(state, both)).toEqual(mergePatch(mergePatch(state, first), second));
    }),
  );
});

it('two reports are not composed if a single one cannot express both', () => {
  expect(composePatches({ fan: null }, { fan: { on: true } })).toBeUndefined();
  expect(composePatches({ fan: 3 }, { fan: { on: true } })).toBeUndefined();
  expect(composePatches({ fan: { on: false } }, { fan: { speed: 2 } })).toEqual({
    fan: { on: false, speed: 2 },
  });
});
