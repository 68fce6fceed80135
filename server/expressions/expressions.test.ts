import { describe, expect, it } from 'vitest';
import { createChecker } from './checkExpression.ts';
import { Evaluator, tooLarge, tooSlow } from './evaluator.ts';
import { type Given, tooMuch, tooMuchInAll } from './given.ts';
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
    ['a list of labels', 'data.prices.x > 1', 'There is no `prices` here.', 5, 11],
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

describe('an evaluator whose evaluations can do anything', () => {
  const evaluator = new Evaluator(new URL('../../test/harmfulThread.ts', import.meta.url));
  const evaluate = (...programs: string[]) =>
    evaluator.evaluate(programs.map(program => ({ program, given })));

  it('outlives a native allocation that no limit on memory catches, and evaluates the others of the batch', async () => {
    const stopped: string[] = [];
    const jobs = ['fine', 'allocates', 'fine', 'allocates more', 'fine'].map(program => ({ program, given }));
    const results = await evaluator.evaluate(jobs, async ({ program }, because) => {
      stopped.push(program, because);
    });
    const [fine, large] = [{ value: 'fine' }, { error: tooLarge }];
    expect(results).toEqual([fine, large, fine, large, fine]);
    expect(stopped).toEqual(['allocates', tooLarge, 'allocates more', tooLarge]);
    expect(await evaluate('allocates', 'fine')).toEqual([large, fine]);
  });

  it('outlives an evaluation that fills the heap', async () => {
    expect(await evaluate('fine', 'fills the heap', 'fine')).toEqual([
      { value: 'fine' },
      { error: tooLarge },
      { value: 'fine' },
    ]);
  });

  it('sees nothing of the environment, which contains secrets', async () => {
    expect(await evaluate('environment')).toEqual([{ value: ['TZ'] }]);
  });
  it('fails only an expression that hangs, and evaluates the others of its batch', async () => {
    const [fine, slow] = [{ value: 'fine' }, { error: tooSlow }];
    expect(await evaluate('fine', 'hangs', 'fine')).toEqual([fine, slow, fine]);
    expect(await evaluate('hangs', 'fine')).toEqual([slow, fine]);
  });

  it('delays other projects by at most three hanging expressions of a project', async () => {
    const hanging = Array.from({ length: 6 }, (_, n) => `hangs ${n}`);
    const results = await evaluator.evaluate([
      ...hanging.map(program => ({ program, given, of: 'prj_hangs' })),
      { program: 'fine', given, of: 'prj_other' },
    ]);
    const [slow, stopped] = [{ error: tooSlow }, { error: tooMuchInAll }];
    expect(results).toEqual([slow, slow, slow, stopped, stopped, stopped, { value: 'fine' }]);
  });
});

describe('evaluation in a separate process', () => {
  const evaluator = new Evaluator();
  const evaluate = (...programs: string[]) =>
    evaluator.evaluate(programs.map(program => ({ program, given })));

  it('evaluates many events with large values, which do not fit into its memory together', async () => {
    const jobs = Array.from({ length: 900 }, (_, n) => ({
      program: 'state.text.size() + state.number',
      given: { ...given, state: { text: `${n}`.padEnd(60_000, 'x'), number: n } },
    }));
    const results = await evaluator.evaluate(jobs);
    expect(results).toEqual(jobs.map((_, n) => ({ value: 60_000 + n })));
  });

  it('fails a slow expression for the rest of many events, and evaluates the others', async () => {
    const slow = 'state.xs.all(x, x >= 0) && state.xs.all(x, x + 1 > 0)';
    const results = await evaluate(...Array.from({ length: 500 }, () => slow), 'state.temperature > 30');
    expect([results[0], results[499], results[500]]).toEqual([
      { value: true },
      { error: tooMuch },
      { value: true },
    ]);
    expect(await evaluate(slow, 'true')).toEqual([{ error: tooMuch }, { value: true }]);
  });

  it('fails expressions that are slow in total only for the rest of their project’s events', async () => {
    const slow = Array.from(
      { length: 12 },
      (_, n) => `state.xs.all(x, x >= -${n}) && state.xs.all(x, x + 1 > 0)`,
    );
    const light = 'state.temperature > 30';
    const jobs = slow.flatMap(program =>
      Array.from({ length: 40 }, () => ({ program, given, of: 'prj_slow' })),
    );
    const of = 'prj_other';
    const results = await evaluator.evaluate([
      ...[...jobs, { program: light, given, of: 'prj_slow' }],
      ...[light, slow[0] ?? ''].map(program => ({ program, given, of })),
    ]);
    expect(results.slice(-3)).toEqual([{ error: tooMuchInAll }, { value: true }, { value: true }]);
    // Expressions that used much of the time are not evaluated for a while; the others of the project are.
    const again = [slow[0] ?? '', light].map(program => ({ program, given, of: 'prj_slow' }));
    expect(await evaluator.evaluate(again)).toEqual([{ error: tooMuch }, { value: true }]);
  });

  it('reports a missing field as missing, and a value of the wrong type as an error', async () => {
    const [missing, other, none, either] = await evaluate(
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

  it('gives expressions no access beyond their data', async () => {
    const results = await evaluate(
      'state["con" + "structor"] == 1',
      'state.isAdmin',
      'device.tag == ""',
      'state.xs["length"] > 0',
    );
    for (const result of results) expect(result).not.toHaveProperty('value');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it('a text shows the values of its expressions, and a dash for a missing value', async () => {
  const template = readTemplate('It is {{ state.temperature }} °C in {{ "}}" + state.room }}.');
  if ('fault' in template) throw new Error(template.fault);
  const evaluator = new Evaluator();
  const values = await evaluator.evaluate(template.places.map(({ source }) => ({ program: source, given })));
  expect(renderTemplate(template, values)).toBe('It is 31 °C in —.');
  expect(readTemplate('It is {{ state.temperature')).toMatchObject({
    fault: 'The closing `}}` is missing.',
    from: 6,
  });
});
