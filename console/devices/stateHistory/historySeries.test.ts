import { expect, it } from 'vitest';
import { inSchemaOrder, meaningsOf, runsOf, shortFigure, summaryOf, valueText } from './historySeries.ts';

const seriesAt = (minutes: readonly number[]) => ({
  property: 't',
  points: minutes.map(minute => ({
    at: new Date(minute * 60_000).toISOString(),
    min: minute,
    mean: minute + 1,
    max: minute + 2,
    count: minute === 0 ? 3 : 1,
  })),
});

it.each([
  ['each step', [0, 5, 10, 15], [4]],
  ['nothing for a while', [0, 5, 10, 60, 65], [3, 2]],
  ['each hour in steps of five minutes', [0, 60, 120, 180], [4]],
  ['once', [0], [1]],
  ['nothing', [], []],
])('for a device that reports %s, there is a line only while it reported', (_, minutes, lengths) => {
  expect(runsOf(seriesAt(minutes), { stepS: 300 }, { isBoolean: false }).map(run => run.length)).toEqual(
    lengths,
  );
});

it('the mean is that of the reports, not of the points', () => {
  expect(summaryOf(seriesAt([0, 8]))).toEqual({ min: 0, mean: 3, max: 10, count: 4 });
});

it('unit, order and boolean values come from the schema', () => {
  const meanings = meaningsOf({
    properties: { on: { type: 'boolean' }, 'a.b': { properties: { c: { type: 'number', unit: '°C' } } } },
  });
  const sorted = inSchemaOrder([{ property: 'aaa' }, { property: 'a\\.b.c' }, { property: 'on' }], meanings);
  expect(sorted.map(({ property }) => property)).toEqual(['on', 'a\\.b.c', 'aaa']);
  const text = (property: string, value: number) => {
    const meaning = meanings.get(property);
    return meaning && valueText(value, meaning);
  };
  expect([text('on', 0.421), text('a\\.b.c', -3.14259)]).toEqual(['42.1 %', '−3.14 °C']);
});

it.each([
  [0, '0'],
  [0.12345, '0.123'],
  [21.349, '21.3'],
  [1234.5, '1,235'],
  [0.000012345, '0.0000123'],
  [-61, '−61'],
  [1_800_000_000, '1,800,000,000'],
  [-10_000_000_000_001, '−10,000,000,000,001'],
  [1.23456e18, '1.23e+18'],
])('%d is shown as %s', (value, text) => {
  expect(shortFigure(value)).toBe(text);
});

it.each([
  [
    [20, 21.26, 22.5],
    ['20', '21.3', '22.5'],
  ],
  [
    [21.31, 21.325, 21.34],
    ['21.31', '21.325', '21.34'],
  ],
  [
    [1_800_000_000, 1_800_000_050, 1_800_000_100],
    ['1,800,000,000', '1,800,000,050', '1,800,000,100'],
  ],
  [
    [1e13 + 1, 1e13 + 2, 1e13 + 3],
    ['10,000,000,000,001', '10,000,000,000,002', '10,000,000,000,003'],
  ],
  [
    [1.234561e18, 1.234562e18, 1.234563e18],
    ['1.234561e+18', '1.234562e+18', '1.234563e+18'],
  ],
  [
    [0, 3e-7, 1e-6],
    ['0', '0.0000003', '0.000001'],
  ],
  [
    [-1e-12, 0, 1e-12],
    ['−1e-12', '0', '1e-12'],
  ],
  [
    [0, 0.0001, 5000],
    ['0', '0', '5,000'],
  ],
])('values that differ are told apart: %j', (values, texts) => {
  const [least = 0, , most = 0] = values;
  expect(values.map(value => shortFigure(value, most - least))).toEqual(texts);
});
