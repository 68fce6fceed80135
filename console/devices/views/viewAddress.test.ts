import { expect, test } from 'vitest';
import type { DeviceViewQuery } from '#contract/deviceView.ts';
import { addressOf, isSame, queryAt } from './viewAddress.ts';

const queries: DeviceViewQuery[] = [
  {},
  { search: 'oslo', sortBy: 'lastSeen:asc' },
  { deviceClass: 'lamp', state: 'disconnected', signal: 'flapping' },
  { claimed: false, channel: '', bundleInstalled: 'bnd_1' },
  { claimed: true, channel: 'beta' },
];

test.each(queries)('a view has the query of its address: %j', query => {
  expect(isSame(queryAt(addressOf({ query })), query)).toBe(true);
});

test('the page, the default order and values that are not valid are not part of a view', () => {
  expect(queryAt({ page: '3', after: 'x', sort: 'creationTime:desc', state: 'asleep', q: ' ' })).toEqual({});
  expect(queryAt({ sort: 'price:asc' })).toEqual({});
});
