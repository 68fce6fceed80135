import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePatch } from '../json/mergePatch.ts';
import { Patched } from './patched.ts';

const name = fc.constantFrom('a', 'b', 'c', '__proto__');
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'x', [1]),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 3 }).map(pairs => Object.fromEntries(pairs)),
  ),
}));

it('patches applied one after another lead to the same values as merge patches, also to those handed out before', () => {
  fc.assert(
    fc.property(json, fc.array(fc.tuple(json, fc.boolean()), { maxLength: 6 }), (begin, steps) => {
      const patched = new Patched(begin);
      const [given, expected]: [unknown[], unknown[]] = [[], []];
      const before = JSON.stringify(begin);
      let model: unknown = begin;
      for (const [patch, isRead] of [...steps, [{}, true] as const]) {
        patched.apply(patch);
        model = mergePatch(model, patch);
        if (!isRead) continue;
        given.push(patched.value);
        expected.push(model);
      }
      // As text: an equality would not see a member named `__proto__`, nor the order of members.
      expect(given.map(value => JSON.stringify(value))).toEqual(expected.map(value => JSON.stringify(value)));
      expect(JSON.stringify(begin)).toBe(before);
    }),
  );
});
