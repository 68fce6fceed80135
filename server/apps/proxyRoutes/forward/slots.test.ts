import { expect, it } from 'vitest';
import { Slots, type Taker } from './slots.ts';

const shares = { user: 1 / 4, home: 1 / 2 };
const slots = (max: number, waitingMax: number) => new Slots({ sockets: { max, waitingMax }, shares });
const stays = () => undefined;
const userOf = (homeId: string) => (_: unknown, n: number) => ({ userId: `usr_${homeId}_${n}`, homeId });

/** Takes slots for these users, and returns who got one, in order. */
function taken(of: Slots, takers: Taker[]): { got: Taker[]; waits: Promise<unknown>[] } {
  const got: Taker[] = [];
  const waits: Promise<unknown>[] = [];
  for (const by of takers) {
    const slot = of.take(by, 60_000, stays);
    if (slot === true) got.push(by);
    else {
      const wait = slot.then(() => got.push(by));
      // Those that nobody awaits are still refused when their time is over.
      wait.catch(() => undefined);
      waits.push(wait);
    }
  }
  return { got, waits };
}

it('a user gets at most a quarter of the slots, and others still get theirs', () => {
  const of = slots(8, 8);
  const mine = taken(of, [{ userId: 'a' }, { userId: 'a' }, { userId: 'a' }]);
  expect([mine.got.length, of.waiting]).toEqual([2, 1]);
  expect(taken(of, [{ userId: 'b' }]).got).toHaveLength(1);
});

it('a home gets at most half of the slots, however many members call', () => {
  const of = slots(8, 8);
  expect(taken(of, Array.from({ length: 8 }, userOf('1'))).got).toHaveLength(4);
  expect(taken(of, Array.from({ length: 8 }, userOf('2'))).got).toHaveLength(4);
});

it('a user can have at most a quarter of the waiting calls, and then is refused', async () => {
  const of = slots(4, 8);
  const { waits } = taken(
    of,
    Array.from({ length: 4 }, () => ({ userId: 'a' })),
  );
  await expect(waits.at(-1)).rejects.toMatchObject({ reason: 'PROXY_BUSY' });
  expect(of.waiting).toBe(2);
});

it('a freed slot goes to the call that has waited longest, of those whose share is not used up', async () => {
  const of = slots(4, 16);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(userId => ({ userId })) as [Taker, Taker, Taker, Taker];
  taken(of, [a, b, c, d]);
  const { got, waits } = taken(of, [a, { userId: 'e' }, b]);
  of.free(b);
  await waits[1];
  expect(got).toEqual([{ userId: 'e' }]);
  of.free(a);
  await waits[0];
  expect(got.at(-1)).toEqual(a);
});

it('whatever is taken, waits and leaves: all is free in the end, and nobody waits beside a free slot', async () => {
  const of = slots(8, 64);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  const holding: Taker[] = [];
  const leaving: (() => void)[] = [];
  for (let step = 0; step < 5_000; step += 1) {
    const by = { userId: `u${random(6)}`, homeId: random(2) ? `h${random(3)}` : undefined };
    const act = random(3);
    if (act === 0) {
      const slot = of.take(by, 60_000, hear => leaving.push(hear));
      if (slot === true) holding.push(by);
      else slot.then(hasSlot => hasSlot && holding.push(by), stays);
    } else if (act === 1 && holding.length > 0) {
      of.free(holding.splice(random(holding.length), 1)[0] as Taker);
    } else leaving.splice(random(leaving.length + 1), 1)[0]?.();
    await Promise.resolve();
    expect(of.inUse).toBeLessThanOrEqual(8);
  }
  for (const leave of leaving) leave();
  await new Promise(resolve => setImmediate(resolve));
  while (holding.length > 0) of.free(holding.pop() as Taker);
  expect([of.inUse, of.waiting]).toEqual([0, 0]);
});
