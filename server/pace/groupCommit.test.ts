import { expect, it } from 'vitest';
import { GroupCommit, notYet } from './groupCommit.ts';

it('what is not done yet comes with the next batch, before all that was added since', async () => {
  const batches: number[][] = [];
  const batch: GroupCommit<number, number> = new GroupCommit({
    itemsMax: 3,
    run: async items => {
      batches.push(items);
      if (batches.length > 1) return items;
      void batch.add(4);
      return items.map(item => (item === 1 ? item : notYet));
    },
  });
  expect(await Promise.all([1, 2, 3].map(item => batch.add(item)))).toEqual([1, 2, 3]);
  await batch.stop();
  expect(batches).toEqual([
    [1, 2, 3],
    [2, 3, 4],
  ]);
});
