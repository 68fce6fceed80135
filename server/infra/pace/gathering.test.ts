import { expect, it } from 'vitest';
import { Gathering } from './gathering.ts';

interface Count {
  calls: number;
}

function counter(store: (all: Map<string, Count>) => Promise<void>) {
  const gathering = new Gathering<Count>({
    name: 'tests',
    log: () => undefined,
    make: () => ({ calls: 0 }),
    store,
    add: (earlier, later) => ({ calls: earlier.calls + later.calls }),
  });
  const count = (key: string) => {
    gathering.of(key).calls += 1;
  };
  return { gathering, count };
}

it('counts are written once, sorted by key', async () => {
  const written: [string, number][][] = [];
  const { gathering, count } = counter(async all => {
    written.push([...all].map(([key, { calls }]) => [key, calls]));
  });
  for (const key of ['b', 'a', 'b']) count(key);
  await gathering.flush();
  await gathering.flush();
  expect(written).toEqual([
    [
      ['a', 1],
      ['b', 2],
    ],
  ]);
});

it('counts that could not be written are kept and added to', async () => {
  let isAway = true;
  const written = new Map<string, number>();
  const { gathering, count } = counter(async all => {
    // Counts made during a failing write must not be lost either.
    if (isAway) count('a');
    if (isAway) throw new Error('away');
    for (const [key, { calls }] of all) written.set(key, calls);
  });
  count('a');
  count('b');
  await gathering.flush();
  isAway = false;
  await gathering.flush();
  expect([...written]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
