import { describe, expect, it } from 'vitest';
import { createChecker } from './checkExpression.ts';
import { createEvaluation } from './evaluate.ts';
import type { Given } from './given.ts';
import { readTemplate, renderTemplate } from './textTemplates.ts';

const checker = createChecker({
  state: { temperature: 'double', on: 'bool', name: 'string', xs: 'list<double>' },
  payload: 'map',
  data: ['tariffs'],
});
const faultsOf = (source: string) => checker.check(source, 'condition').faults;

describe('an expression is rejected with the position of the error', () => {
  const hostile: [name: string, source: string, message: string, from?: number, to?: number][] = [
    ['constructor', 'event.payload.constructor == 1', '`constructor` cannot be used here.', 0, 25],
    ['prototype by text', 'event.payload["proto" + "type"]["prototype"] == 1', '`prototype` cannot', 32, 43],
    ['__proto__', 'event.payload["__proto__"] == 1', '`__proto__` cannot be used here.', 14, 25],
    ['matches', 'state.name.matches("(a+)+$")', '`matches` is not available.', 0, 28],
    ['a pattern that looks behind', 'fits(state.name, "(?<=a)b")', 'This pattern is not supported', 17, 26],
    ['a pattern that explodes', `fits(state.name, "${'(a|b)'.repeat(60)}{50}")`, 'too many repetitions'],
    ['deep nesting', `${'('.repeat(100)}true${')'.repeat(100)}`, 'nested too deeply'],
    ['many parts', `1${'+1'.repeat(400)} > 0`, 'too long'],
    ['a huge text', `"${'a'.repeat(1500)}" == state.name`, 'at most 1000 characters', 0, 1502],
    ['length', `true ${' '.repeat(3000)}`, 'at most 2000 characters'],
    ['a loop in a loop', 'state.xs.all(x, state.xs.exists(y, y > x))', 'cannot be nested', 16, 41],
    ['doubling', 'cel.bind(a, state.name + state.name, cel.bind(b, a + a, b + b == ""))', 'cannot be nested'],
    ['four loops', Array(4).fill('state.xs.all(x, x > 1)').join(' && '), 'at most 3 times', 78, 100],
    ['many values of the past', Array(5).fill('mean(state.temperature, 5) > 1').join(' && '), 'at most 4'],
    ['a day and more', 'mean(state.temperature, 1441) > 1', 'can be 1 to 1440', 24, 28],
    ['what is not known', 'process.env == ""', '`process` is not known', 0, 7],
    ['a function that is none', 'eval("1") == 1', 'no function `eval`', 0, 9],
    ['a list of labels', 'data.prices.x > 1', 'The rule uses no data with the label `prices`.', 5, 11],
    [
      'a property that is shortened',
      'state.temp > 1',
      'These devices do not report `temp`. Did you mean `temperature`?',
      6,
      10,
    ],
    ['has of a typing error', 'has(state.temprature)', 'Did you mean `temperature`?', 10, 20],
    ['one sign', 'state.temperature = 30', 'Use `==` to compare.', 18, 19],
  ];
  it.each(hostile)('%s', (_, source, message, from, to) => {
    const [fault] = faultsOf(source);
    expect(fault?.message).toContain(message);
    if (from !== undefined) expect(fault).toMatchObject({ from, to });
  });
});

it('a valid expression is accepted', () => {
  const fine = [
    'state.temperature > 30',
    'state.temperature / 2 == 15 || state.temperature in [30, 31]',
    'has(state.name) && fits(state.name, "^[a-z]+$")',
    'mean(state.temperature, 10) > 30.5 && device.connectedFor > duration("5m")',
    'state.xs.exists(x, x > 3) && data.tariffs[device.tag].price > 1',
    'event.name == "door" && event.payload.open',
    'event.ts.getHours("Europe/Berlin") < 7',
  ];
  expect(fine.flatMap(faultsOf)).toEqual([]);
});

const given: Given = {
  event: { id: 'evt_1', name: 'x', ts: '2026-11-22T12:00:00.000Z', deviceId: 'dev_1', payload: { n: null } },
  state: {
    temperature: 31,
    xs: Array.from({ length: 20_000 }, (_, n) => n),
    big: 'a'.repeat(30_000),
    ['__proto__']: { isAdmin: true },
  },
  data: {},
  figures: {},
};

const evaluate = (...programs: string[]) => programs.map(program => evaluation({ program, given }));
const evaluation = createEvaluation();

describe('an evaluation', () => {
  it('reports a missing field as missing, and a value of the wrong type as an error', () => {
    const [missing, other, none, either] = evaluate(
      'state.humidity > 3',
      'state.temperature > "x"',
      'event.payload.n > 3',
      'state.humidity > 3 || state.temperature > 3',
    );
    expect(missing).toHaveProperty('missing');
    expect(other).toHaveProperty('error');
    expect(none).toHaveProperty('error');
    expect(either).toEqual({ value: true });
  });

  it('gives expressions no access beyond their data', () => {
    const results = evaluate(
      'state["con" + "structor"] == 1',
      'state.isAdmin',
      'device.tag == ""',
      'state.xs["length"] > 0',
    );
    for (const result of results) expect(result).not.toHaveProperty('value');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it('a text shows the values of its expressions, and a dash for a missing value', () => {
  const template = readTemplate('It is {{ state.temperature }} °C in {{ "}}" + state.room }}.');
  if ('fault' in template) throw new Error(template.fault);
  const values = evaluate(...template.places.map(({ source }) => source));
  expect(renderTemplate(template, values)).toBe('It is 31 °C in —.');
  expect(readTemplate('It is {{ state.temperature')).toMatchObject({
    fault: 'The closing `}}` is missing.',
    from: 6,
  });
});
