import { expect, it } from 'vitest';
import { CheckTime } from './checkTime.ts';
import { checkAgainst } from './schemas.ts';

it('a project that used up its time budget waits, and no other project does', () => {
  const costly = { items: { anyOf: [{ type: 'object' }, { type: 'array' }, { type: 'number' }] } };
  const numbers = Array.from({ length: 60_000 }, () => 1);
  // Compiled before measuring: on a busy machine, compiling alone may exceed a project's budget.
  new CheckTime().check('prj_b', () => checkAgainst({ type: 'number' }, 1));
  const time = new CheckTime();
  expect(time.check('prj_b', () => checkAgainst({ type: 'number' }, 1))).toEqual([]);
  for (let i = 0; i < 1_000 && !time.isOver('prj_a'); i++)
    expect(time.check('prj_a', () => checkAgainst(costly, numbers))).toEqual([]);
  expect(['prj_a', 'prj_b', 'prj_c'].map(id => time.isOver(id))).toEqual([true, false, false]);
});
