import { expect, it } from 'vitest';
import { hourMs } from '#rules/time/durations.ts';
import { newId } from '#server/infra/ids.ts';
import { KeyGuessLimit } from './keyGuessLimit.ts';

it('guesses are slowed down per device from any network, and per network for any device', () => {
  const keyGuessLimit = new KeyGuessLimit();
  const id = newId('dev', 1);
  const ofDevice = Array.from({ length: 7 }, (_, i) => keyGuessLimit.wrong(id, `10.0.0.${i}`, 0));
  expect(ofDevice).toEqual([0, 0, 0, 0, 0, 250, 500]);
  const ofNetwork = Array.from({ length: 22 }, () => keyGuessLimit.wrong(newId('dev', 1), '10.1.0.1', 0));
  expect(ofNetwork.slice(-3)).toEqual([0, 250, 500]);
});

it('a malformed id is only counted by its network', () => {
  const keyGuessLimit = new KeyGuessLimit();
  for (let i = 0; i < 100; i++) keyGuessLimit.wrong(undefined, '10.0.0.1', 0);
  expect(keyGuessLimit.size).toBe(1);
  expect(keyGuessLimit.wrong(undefined, '10.0.0.2', 0)).toBe(0);
});

it('counts of guesses expire, and made-up ids do not evict those of networks', () => {
  const keyGuessLimit = new KeyGuessLimit();
  for (let i = 0; i < 30; i++) keyGuessLimit.wrong(undefined, '10.0.0.1', 0);
  for (let i = 0; i < 60_000; i++) keyGuessLimit.wrong(`dev_${i}`, '10.0.0.2', 1);
  expect(keyGuessLimit.size).toBeLessThan(51_000);
  expect(keyGuessLimit.wrong(undefined, '10.0.0.1', 2)).toBe(5_000);
  keyGuessLimit.wrong('dev_late', '10.0.0.3', hourMs);
  expect(keyGuessLimit.size).toBe(2);
});
