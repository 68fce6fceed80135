import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostileExpression, hostileGiven, seeded } from '#test/hostileExpressions.ts';
import { callCharges } from './costs.ts';
import { createEvaluation } from './evaluate.ts';
import type { Given } from './given.ts';
import { fillJson } from './jsonTemplates.ts';
import { createLanguage } from './language.ts';
import { allocatedBytesMax, Meter, stepsMax } from './meter.ts';

const given: Given = {
  event: { id: 'evt_1', name: 'x', ts: '2026-11-22T12:00:00.000Z', deviceId: 'dev_1', payload: {} },
  state: {
    text: 'a'.repeat(9_000),
    large: 'a'.repeat(60_000),
    list: Array.from({ length: 9_000 }, (_, n) => n),
    number: 31,
  },
  data: {
    list: Array.from({ length: 9_000 }, (_, n) => n),
    wide: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])),
  },
  figures: {},
};

const meter = new Meter();
const evaluate = createEvaluation(meter);
const resultOf = (program: string) => evaluate({ program, given });

const tooLarge = 'It was stopped: its texts and lists become too large for these values.';
const tooMany = 'It was stopped: it takes too many steps for these values.';

const hostile: [what: string, program: string, message: string][] = [
  ['joining what was split', 'state.text.split("").join(state.text).size() > 1', tooLarge],
  ['joining what a loop made', 'state.list.map(x, state.text).join(state.text).size() > 1', tooLarge],
  ['adding lists in a loop', 'state.list.all(x, (state.list + state.list).size() > 0)', tooLarge],
  ['adding texts in a loop', 'state.list.all(x, (state.large + state.large).size() > 0)', tooLarge],
  ['changing case in a loop', 'state.list.all(x, state.large.upperAscii() != "")', tooLarge],
  ['bytes in a loop', 'state.list.all(x, bytes(state.large).size() > 0)', tooLarge],
  ['listing the keys of an object in a loop', 'state.list.all(x, data.wide.size() > 0)', tooMany],
  ['maps in a loop', `state.list.map(x, [${'{"a": 1}, '.repeat(30)}]).size() > 0`, tooLarge],
  [
    'reading JSON',
    'bytes("[" + state.list.map(x, "{},{},{},{}").join(",") + "]").json().size() > 0',
    tooLarge,
  ],
  ['searching in a loop', 'state.list.exists(x, state.large.contains(state.text + "b"))', tooMany],
  ['comparing objects in a loop', 'state.list.exists(x, data.wide == state.list)', tooMany],
  ['looking into an object in a loop', 'state.list.exists(x, "a" in data.wide)', tooMany],
  ['comparing lists in a loop', 'state.list.exists(x, state.list != data.list)', tooMany],
  ['searching a list in a loop', 'state.list.exists(x, "a" in state.list)', tooMany],
  ['items that fail', 'state.list.all(x, x.missing == 1)', tooMany],
  ['patterns in a loop', 'state.list.exists(x, fits("", string(x) + "b*c*d*e*f*g*"))', tooMany],
  ['time zones in a loop', 'state.list.all(x, event.ts.getHours("Europe/Berlin") < 30)', tooLarge],
  ['what goes on after it was stopped', 'state.list.all(x, x.missing == 1) || true', tooMany],
];

it.each(hostile)('%s is stopped by its budget', (_, program, message) => {
  expect(resultOf(program)).toEqual({ error: expect.stringContaining(message) });
  expect(meter.used.bytes).toBeLessThanOrEqual(allocatedBytesMax);
  expect(meter.used.steps).toBeLessThanOrEqual(stepsMax);
});

it('what expressions usually do is far within the budget', () => {
  const usual = [
    'state.list.exists(x, x == 8999) && state.text.contains("aab")',
    'state.large.split("a").size() > 3 && state.list.filter(x, x % 2 == 0).map(x, x * 2).size() > 5',
    'state.list.all(x, x >= 0) && state.list.all(x, x + 1 > 0) && state.list.all(x, x > -1)',
    'event.ts.getHours("Europe/Berlin") == 13 && "k7" in data.wide && data.wide.k7 == 7',
    'state.list == state.list && state.list.size() == 9000',
  ];
  expect(usual.map(resultOf)).toEqual([
    { value: false },
    { value: true },
    { value: true },
    { value: true },
    { value: true },
  ]);
});

it('every function of the language has a charge, and one without cannot be called', () => {
  const names = createLanguage(() => undefined)
    .getDefinitions()
    .functions.map(({ name }) => name);
  // Regular expressions with backtracking, and optional values, are not part of the language.
  const without = ['hasValue', 'value', 'none', 'of', 'or', 'orValue', 'matches'];
  expect(new Set(names)).toEqual(new Set([...Object.keys(callCharges), ...without]));
  expect(resultOf('state.text.matches("(a+)+$")')).toEqual({ error: '`matches` is not available.' });
});

it('a value that would be large as JSON is refused, however often the same text occurs in it', () => {
  for (const program of [
    'state.list.map(x, state.large)',
    'state.large + state.large',
    '[[state.large], [state.large]]',
  ])
    expect(resultOf(program)).toEqual({ error: expect.stringContaining('larger than 64 KiB') });
});

const failures: [program: string, message: string][] = [
  [
    `${'fits(state.large, "(a|b){0,40}c") || '.repeat(3)}false`,
    'the text is too long for this pattern. In `fits(',
  ],
  ['state.number > 3 && 1 / 0 == 1', 'A whole number cannot be divided by zero. In `1 / 0`.'],
  ['state.number > 3 && double(state.text) > 1', 'This text is not a number. In `double(state.text)`.'],
  ['state.number > 3 && event.ts.getHours("Nowhere/City") > 1', 'There is no such time zone.'],
  ['state.number > 3 && duration(state.text) > duration("1m")', 'A duration can have at most 64 characters.'],
  [
    'state.number ? true : false',
    'A condition must be true or false, and this value is neither. In `state.number`.',
  ],
  ['state.number > "x" && true', '`>` does not work with a number and a text.'],
];

it.each(failures)('the failure of %s says what happened, and where', (program, message) => {
  expect(resultOf(program)).toEqual({ error: expect.stringContaining(message) });
});

it('a number is found in a list, whatever kinds of numbers the two have', () => {
  const found = [
    'state.number in [30, 31]',
    '31 in state.list',
    'state.number in state.list',
    '31.0 in [31]',
  ];
  expect(found.map(resultOf)).toEqual(found.map(() => ({ value: true })));
  expect(resultOf('state.number in ["31"]')).toEqual({ value: false });
});

it('a large value that occurs many times in a JSON template is refused before it is written out', () => {
  const template = Array.from({ length: 4_000 }, () => '{{ state.large }}');
  const fill = () => fillJson(template, resultOf);
  expect(fill).toThrow('With its values it would be larger than 128 KiB');
  expect(fillJson(['{{ state.large }}', 1], resultOf)).toEqual([given.state.large, 1]);
});

it('whatever an expression does, it stays within its budget, and its value or failure is small', () => {
  const given = hostileGiven();
  fc.assert(
    fc.property(fc.nat(), seed => {
      const result = evaluate({ program: hostileExpression(seeded(seed)), given });
      expect(meter.used.steps).toBeLessThanOrEqual(stepsMax);
      expect(meter.used.bytes).toBeLessThanOrEqual(allocatedBytesMax);
      const [said] = Object.values(result);
      expect(JSON.stringify(said).length).toBeLessThan('value' in result ? 8 * 64 * 1024 : 400);
    }),
    { numRuns: 500 },
  );
});
