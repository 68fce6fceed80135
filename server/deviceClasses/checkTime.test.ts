import { expect, it } from 'vitest';
import { CheckTime } from './checkTime.ts';
import { checkAgainst } from './schemas.ts';

it('a project whose messages took long to check waits, and no other does', () => {
  const costly = { items: { anyOf: [{ type: 'object' }, { type: 'array' }, { type: 'number' }] } };
  const numbers = Array.from({ length: 60_000 }, () => 1);
  // Compiled before it counts: on a busy machine that alone may take longer than a project has.
  new CheckTime().check('prj_b', () => checkAgainst({ type: 'number' }, 1));
  const time = new CheckTime();
  expect(time.check('prj_b', () => checkAgainst({ type: 'number' }, 1))).toEqual([]);
  for (let i = 0; i < 1_000 && !time.isOver('prj_a'); i++)
    expect(time.check('prj_a', () => checkAgainst(costly, numbers))).toEqual([]);
  expect(['prj_a', 'prj_b', 'prj_c'].map(id => time.isOver(id))).toEqual([true, false, false]);
});
