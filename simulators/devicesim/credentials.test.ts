import { expect, it } from 'vitest';
import { fromQuery } from './credentials.ts';

const read = (query: string) => fromQuery(new URLSearchParams(query));

it('an address contains the device, the expiry of its key, and whether the user is new', () => {
  expect(
    read('deviceId=dev_1&apiKey=abc&exp=2026-11-20T09:00:00.000Z&claimCode=KX7M2PQR4T&onboard=1'),
  ).toEqual({
    deviceId: 'dev_1',
    apiKey: 'abc',
    expiresAt: Date.UTC(2026, 10, 20, 9),
    claimCode: 'KX7M2PQR4T',
    onboard: true,
  });
  expect(read('deviceId=dev_1&apiKey=abc')).toEqual({ deviceId: 'dev_1', apiKey: 'abc', onboard: false });
});

it('an address without a device or a key has no credentials', () => {
  expect(read('')).toBeUndefined();
  expect(read('deviceId=dev_1')).toBeUndefined();
  expect(read('deviceId=%20&apiKey=abc')).toBeUndefined();
});

it.each([
  ['1795165200', Date.UTC(2026, 10, 20, 9)],
  ['1795165200000', Date.UTC(2026, 10, 20, 9)],
  ['soon', undefined],
  ['', undefined],
])('the end of a key written as %j is read', (exp, at) => {
  expect(read(`deviceId=dev_1&apiKey=abc&exp=${exp}`)?.expiresAt).toBe(at);
});
