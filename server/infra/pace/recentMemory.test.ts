import { describe, expect, it } from 'vitest';
import { RecentMemory } from './recentMemory.ts';

const bounds = { trustMs: 5_000, max: 3 };
const lamp = (value: string) => async () => ({ value, about: 'lamp' });
const never = () => Promise.reject(new Error('It was read though it is known.'));

describe('a value that was read recently', () => {
  it('is returned at once, without waiting for a turn of the event loop', async () => {
    const memory = new RecentMemory<string>(bounds);
    expect(await memory.find('a', 0, lamp('first'))).toBe('first');
    expect(memory.find('a', 4_999, never)).toBe('first');
  });

  it('is read again once it has expired', async () => {
    const memory = new RecentMemory<string>(bounds);
    await memory.find('a', 0, lamp('first'));
    expect(await memory.find('a', 5_000, lamp('second'))).toBe('second');
  });

  it('is read again after a notice that it changed', async () => {
    const memory = new RecentMemory<string>(bounds);
    await memory.find('a', 0, lamp('first'));
    memory.outdate('door');
    expect(memory.find('a', 1, never)).toBe('first');
    memory.outdate('lamp');
    expect(await memory.find('a', 1, lamp('second'))).toBe('second');
  });

  it('is not trusted if the notice arrived while it was being read', async () => {
    const memory = new RecentMemory<string>(bounds);
    await memory.find('a', 0, async () => {
      memory.outdate('lamp');
      return { value: 'first', about: 'lamp' };
    });
    expect(await memory.find('a', 1, lamp('second'))).toBe('second');
  });

  it('is not cached if it does not exist, or beyond the maximum number', async () => {
    const memory = new RecentMemory<string>(bounds);
    expect(await memory.find('a', 0, async () => undefined)).toBeUndefined();
    for (const key of ['a', 'b', 'c', 'd']) await memory.find(key, 0, lamp(key));
    expect(await memory.find('a', 1, lamp('again'))).toBe('again');
    expect(memory.find('d', 1, never)).toBe('d');
  });
});
