import { expect, it } from 'vitest';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { agree, isLeftToDo, patchBetween, stillAsks } from './patchBetween.ts';

it.each([
  [{}, { on: true }, { on: true }],
  [{ on: true }, { on: true }, {}],
  [{ on: true, level: 3 }, { on: false, level: 3 }, { on: false }],
  [{ on: true, level: 3 }, { on: true }, { level: null }],
  [{ fan: { on: true, speed: 1 } }, { fan: { on: true, speed: 2 } }, { fan: { speed: 2 } }],
  [{ fan: { on: true } }, { fan: 'off' }, { fan: 'off' }],
  [{ scene: [1, 2] }, { scene: [2, 1] }, { scene: [2, 1] }],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, {}],
])('the patch from %j to %j is %j', (before, after, patch) => {
  expect(patchBetween(before, after)).toEqual(patch);
  expect(mergePatch(before, patch)).toEqual(after);
});

it.each([
  [{ on: true }, { on: true }, {}, true],
  [{ on: true }, { on: true, level: 3 }, { on: true }, false],
  [{ on: null }, {}, { on: true }, false],
  [{ on: null }, { on: null }, { on: true }, true],
  [{ on: null }, { on: null }, {}, false],
  [{ fan: {} }, { fan: {} }, {}, true],
  [{ fan: {} }, { fan: { on: true } }, { fan: {} }, false],
  [{ fan: { on: true } }, { fan: { on: true, speed: 2 } }, { fan: { on: true } }, false],
  [{ fan: { on: true, speed: null } }, { fan: { on: true, speed: null } }, { fan: { speed: 1 } }, true],
  [{ fan: 'off' }, { fan: 'off' }, { fan: { speed: 2 } }, true],
])(
  'whether %j, while %j is desired, is left to do by a device that reported %j: %s',
  (patch, desired, reported, is) => {
    expect(isLeftToDo(patch, desired, reported)).toBe(is);
  },
);

it.each([
  [{ on: true }, { on: true, level: 3 }, true],
  [{ on: true }, { on: false }, false],
  [{ on: true, level: 3 }, { on: false, level: 3 }, true],
  [{ fan: { on: true, speed: 1 } }, { fan: { speed: 1 } }, true],
  [{ fan: { on: true } }, { fan: { on: false, speed: 2 } }, false],
  [{ fan: { on: true } }, { fan: true }, false],
  [{ level: null }, { level: null }, true],
  [{ scene: [1, { a: 2 }] }, { scene: [1, { a: 2 }] }, true],
  [{}, { on: true }, false],
  [{ fan: {} }, { fan: {} }, true],
  [{ fan: {} }, { fan: { on: true } }, false],
])('whether %j and %j set a value to the same is %s', (a, b, is) => {
  expect(agree(a, b)).toBe(is);
  expect(agree(b, a)).toBe(is);
});

it.each([
  [{ a: null, b: 2 }, { a: null }, true],
  [{ b: 2 }, { a: null }, true],
  [{ a: 1 }, { a: null }, false],
  [{ a: { x: 1, y: null, z: 2 } }, { a: { x: 1, y: null } }, true],
  [{ a: { x: 2, y: null } }, { a: { x: 1, y: null } }, false],
  [{ a: [{ x: null }] }, { a: [{ x: null }] }, true],
  [{ a: {} }, { a: {} }, true],
  [{}, { a: {} }, false],
  [{ a: 1 }, { a: { x: 1 } }, false],
])('whether the desired state %j still asks for %j is %s', (desired, patch, is) => {
  expect(stillAsks(desired, patch)).toBe(is);
});
