import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from '../json/mergePatch.ts';
import { stateDelta } from './stateDelta.ts';

const cases = [
  ['{}', '{}', '{}'],
  ['{}', '{"on":true}', '{"on":true}'],
  ['{"on":true}', '{"on":true}', '{}'],
  ['{"on":false,"t":21}', '{"on":true}', '{"on":true}'],
  ['{"fan":{"on":true,"speed":1}}', '{"fan":{"speed":2}}', '{"fan":{"speed":2}}'],
  ['{"fan":{"on":true}}', '{"fan":{"on":true}}', '{}'],
  ['{"fan":7}', '{"fan":{"on":true}}', '{"fan":{"on":true}}'],
  ['{"days":[1,2]}', '{"days":[2,1]}', '{"days":[2,1]}'],
  ['{"days":[{"a":1,"b":2}]}', '{"days":[{"b":2,"a":1}]}', '{}'],
  ['{"days":[1]}', '{"days":[1,2]}', '{"days":[1,2]}'],
  ['{"old":1}', '{"old":null}', '{"old":null}'],
  ['{}', '{"old":null}', '{}'],
  ['{}', '{"fan":{}}', '{"fan":{}}'],
  ['{}', '{"toString":1}', '{"toString":1}'],
];

describe('stateDelta', () => {
  it.each(cases)('the delta from reported %s to desired %s is %s', (reported, desired, delta) => {
    expect(stateDelta(JSON.parse(reported), JSON.parse(desired))).toEqual(JSON.parse(delta));
  });

  it('treats __proto__ as plain data', () => {
    const desired = JSON.parse('{"__proto__":{"polluted":1}}');
    expect(JSON.stringify(stateDelta({}, desired))).toBe(JSON.stringify(desired));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('applied to the reported state, it yields the desired state and an empty delta', () => {
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(state, state, (any, desired) => {
        // A reported state never has null members, because it is built from merge patches.
        const reported = mergePatch({}, any) as Record<string, unknown>;
        const wanted = mergePatch(reported, desired);
        const reached = mergePatch(reported, stateDelta(reported, desired)) as Record<string, unknown>;
        expect(reached).toEqual(wanted);
        expect(stateDelta(reached, desired)).toEqual({});
      }),
    );
  });
});
