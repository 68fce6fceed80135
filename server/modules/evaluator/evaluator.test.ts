import { describe, expect, it } from 'vitest';
import { type Given, tooMuch, tooMuchInAll } from '#server/modules/expressions/given.ts';
import { Evaluator } from './evaluator.ts';
import { tooLarge, tooSlow } from './findGuilty.ts';

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
  const evaluator = new Evaluator(new URL('../../../test/harmfulThread.ts', import.meta.url));
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

  it('stops no expression for the memory that the others of its batch use, and still stops one that fills it alone', async () => {
    const jobs = Array.from({ length: 24 }, (_, n) => ({ program: `large ${n}`, given }));
    const guilty = { program: 'fills the heap', given, of: 'prj_guilty' };
    const stopped: string[] = [];
    const results = await evaluator.evaluate([...jobs, guilty], async ({ program }) => {
      stopped.push(program);
    });
    expect(results.map(result => ('value' in result ? 'evaluated' : result))).toEqual([
      ...jobs.map(() => 'evaluated'),
      { error: tooLarge },
    ]);
    expect(stopped).toEqual([guilty.program]);
  });

  it('answers others at once when an expression of a project hangs: the project is late, and nothing is proven yet', async () => {
    const jobs = ['hangs in the way', 'fine'].map(program => ({ program, given, of: `prj_${program}` }));
    expect(await evaluator.conditions.evaluate(jobs)).toEqual([{ late: true }, { value: 'fine' }]);
    // Without another try.
    expect(await evaluator.conditions.evaluate(jobs)).toEqual([{ late: true }, { value: 'fine' }]);
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

describe('an evaluator that many projects share', () => {
  const evaluator = new Evaluator(new URL('../../../test/harmfulThread.ts', import.meta.url));
  const evaluate = (...projects: string[]) =>
    evaluator.evaluate(projects.map(of => ({ program: 'fine', given, of })));

  it('lets the jobs of a project wait for no more than the running batch of one that used more of late', async () => {
    const ended: string[] = [];
    await evaluate('prj_heavy');
    const heavy = Array.from({ length: 5 }, () => evaluate('prj_heavy').then(() => ended.push('heavy')));
    const other = evaluate('prj_other').then(() => ended.push('other'));
    await Promise.all([...heavy, other]);
    expect(ended).toEqual(['heavy', 'other', 'heavy', 'heavy', 'heavy', 'heavy']);
  });

  it('evaluates a project over its share after the others, also after those of later callers', async () => {
    const hanging = { program: 'hangs', given, of: 'prj_hangs' };
    await evaluator.evaluate([hanging]);
    const ended: string[] = [];
    const mixed = evaluate('prj_hangs', 'prj_other').then(results => {
      ended.push('mixed');
      return results;
    });
    const later = evaluate('prj_later').then(() => ended.push('later'));
    expect(await mixed).toEqual([{ value: 'fine' }, { value: 'fine' }]);
    await later;
    expect(ended).toEqual(['later', 'mixed']);
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

  it('keeps no value of a condition but true and false, so that many large ones do not fill its memory', async () => {
    const programs = ['state.xs', 'state.temperature > 30', 'state.temperature > 40', 'state.nothing'];
    const jobs = programs.map(program => ({ program, given, isCondition: true }));
    expect(await evaluator.evaluate(jobs)).toEqual([
      { value: null },
      { value: true },
      { value: false },
      { missing: expect.any(String) },
    ]);
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
      ...jobs,
      { program: light, given, of: 'prj_slow' },
      ...[light, slow[0] ?? ''].map(program => ({ program, given, of })),
    ]);
    expect(results.slice(-3)).toEqual([{ error: tooMuchInAll }, { value: true }, { value: true }]);
    // Expressions that used much of the time are not evaluated for a while; the others of the project are.
    const again = [slow[0] ?? '', light].map(program => ({ program, given, of: 'prj_slow' }));
    expect(await evaluator.evaluate(again)).toEqual([{ error: tooMuch }, { value: true }]);
  });
});
