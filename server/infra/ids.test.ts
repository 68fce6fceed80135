import { describe, expect, it } from 'vitest';
import { newId } from './ids.ts';

const now = Date.UTC(2026, 10, 20);

describe('an id', () => {
  it('starts with the prefix of its noun and is safe in a URL', () => {
    expect(newId('prj', now)).toMatch(/^prj_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('sorts by creation time, across seconds and centuries', () => {
    const times = [
      0,
      1,
      999,
      1000,
      now - 1,
      now,
      now + 1,
      now + 60_000,
      Date.UTC(2038, 0, 20),
      Date.UTC(2200, 0),
    ];
    const ids = times.map(time => newId('log', time));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('sorts by creation order within a millisecond', () => {
    const ids = Array.from({ length: 1_000 }, () => newId('evt', now));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('sorts by creation order even if ids for other times are created in between', () => {
    const ids = Array.from(
      { length: 500 },
      (_, at) => [newId('evt', now + 7), newId('evt', now + 8 + at)][0],
    );
    expect(ids.toSorted()).toEqual(ids);
  });

  it('is unique among twenty thousand of the same millisecond', () => {
    expect(new Set(Array.from({ length: 20_000 }, () => newId('log', now))).size).toBe(20_000);
  });

  it('is a UUIDv7 in another alphabet', () => {
    const letters = newId('prj', now).slice(4);
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const value = [...letters].reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n);
    const hex = value.toString(16).padStart(32, '0');
    expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(now);
    expect(hex[12]).toBe('7');
    expect(hex[16]).toMatch(/[89ab]/);
  });
});
