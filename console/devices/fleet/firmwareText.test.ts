import { expect, it } from 'vitest';
import { restText } from './firmwareText.ts';

const bundle = (name: string, devices: number) => ({ id: name, name, devices });
const firmware = (devices: number, ...bundles: ReturnType<typeof bundle>[]) => ({
  deviceClass: 'c',
  devices,
  bundles,
});

it.each([
  ['all run it', firmware(9, bundle('winter', 9)), 9, ''],
  ['some reported nothing', firmware(8, bundle('winter', 8)), 9, '1 not reported'],
  [
    'two bundles',
    firmware(33, bundle('autumn', 28), bundle('winter', 5)),
    37,
    '5 on \u2068winter\u2069, 4 not reported',
  ],
  [
    'more than are named',
    firmware(2_012, bundle('a', 1_000), bundle('b', 999), bundle('c', 9)),
    2_012,
    '999 on \u2068b\u2069, 13 on others',
  ],
])('the remaining bundles and the most frequent one add up to the class: %s', (_, given, total, text) => {
  expect(restText(given, total)).toBe(text);
});
