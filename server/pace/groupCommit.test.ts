import { expect, it } from 'vitest';
import { GroupCommit, notYet } from './groupCommit.ts';

it('what is not done yet comes with the next batch, before all that was added since', async () => {
  const batches: number[][] = [];
  const batch: GroupCommit<number, number> = new GroupCommit({
    name: 'test',
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

it('with retries a batch is tried so often, told of once, and then fails as a whole; one bad item fails alone', async () => {
  const told: unknown[] = [];
  const tried: string[] = [];
  const batch = new GroupCommit<string, string>({
    name: 'test',
    itemsMax: 10,
    run: async items => {
      tried.push(items.join(''));
      if (items.includes('bad')) throw Object.assign(new Error('refused'), { code: '22021' });
      if (items.includes('away')) throw new Error('away');
      return items;
    },
    retry: { timesMax: 2, pauseMs: 0 },
    onRetry: error => told.push(String(error)),
    onFailed: (items, error) => told.push([items, String(error)]),
  });
  const fates = await Promise.allSettled(['a', 'bad'].map(item => batch.add(item)));
  expect(fates.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(batch.add('away')).rejects.toThrow('away');
  expect(tried).toEqual(['abad', 'a', 'bad', 'away', 'away', 'away']);
  expect(told).toEqual([[['bad'], 'Error: refused'], 'Error: away', [['away'], 'Error: away']]);
});
