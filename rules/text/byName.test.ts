import { expect, it } from 'vitest';
import { byName } from './byName.ts';

it('names are in the order in which people look for them', () => {
  const names = [
    'Room 10',
    'room 2',
    'Room 1',
    'Äpfel',
    'apfel 3',
    'Zoë',
    '10',
    '9',
    'v1.10.0',
    'v1.9.1',
    'Room 02a',
  ];
  expect(names.toSorted(byName)).toEqual([
    '9',
    '10',
    'Äpfel',
    'apfel 3',
    'Room 1',
    'room 2',
    'Room 02a',
    'Room 10',
    'v1.9.1',
    'v1.10.0',
    'Zoë',
  ]);
});

it('names that differ only in case, accents or zeros in front are equal', () => {
  for (const [one, other] of [
    ['Zoë', 'zoe'],
    ['Room 02', 'room 2'],
    ['a', 'a'],
  ] as const)
    expect([byName(one, other), byName(other, one)]).toEqual([0, 0]);
});
