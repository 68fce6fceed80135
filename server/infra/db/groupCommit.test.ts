import { expect, it } from 'vitest';
import { until } from '#test/until.ts';
import { GroupCommit, notYet } from './groupCommit.ts';

it('unfinished items come first in the next batch, before newer ones', async () => {
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

it('a batch is retried up to the limit with one notice, then fails as a whole, while a bad item fails alone', async () => {
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

it('batches run concurrently, but never with items of the same key, which keep their order', async () => {
  const running: { items: string[]; end: () => void }[] = [];
  const batch = new GroupCommit<string, string>({
    name: 'test',
    itemsMax: 4,
    atOnce: { batches: 2, keyOf: item => item[0] ?? '' },
    run: items => new Promise(resolve => running.push({ items, end: () => resolve(items) })),
  });
  const seen = () => running.map(({ items }) => items.join(' '));
  const fates = ['a1', 'b1', 'b2'].map(item => batch.add(item));
  await until(() => running.length === 1 || undefined);
  // One item of a busy key, and too few of other keys.
  fates.push(batch.add('a2'), batch.add('c1'));
  expect(seen()).toEqual(['a1 b1 b2']);
  fates.push(batch.add('d1'));
  expect(seen()).toEqual(['a1 b1 b2', 'c1 d1']);
  fates.push(...['a3', 'c2'].map(item => batch.add(item)));
  running[0]?.end();
  await until(() => running.length === 3 || undefined);
  expect(seen()[2]).toBe('a2 a3');
  for (const { end } of running) end();
  await until(() => running.length === 4 || undefined);
  running[3]?.end();
  await batch.stop();
  expect(seen()[3]).toBe('c2');
  expect(await Promise.all(fates)).toHaveLength(8);
});
