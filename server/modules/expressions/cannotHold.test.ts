import { expect, it } from 'vitest';
import type { ModuleEvent } from '#contract/moduleRun.ts';
import { cannotHold } from './cannotHold.ts';
import { createEvaluation } from './evaluate.ts';
import type { Given } from './given.ts';
import { createLanguage } from './language.ts';

const evaluate = createEvaluation();
const language = createLanguage(() => undefined);
const quick = (program: string) => cannotHold(language.parse(program).ast);
const given = (payload: ModuleEvent['payload'], state: Record<string, unknown> = {}): Given => ({
  event: { id: 'e', ts: '2026-01-01T00:00:00.000Z', name: 'measured', deviceId: 'dev_1', payload },
  state,
  data: {},
  figures: {},
});

it('a comparison with a constant is found false without evaluating it', () => {
  const cold = given({ pick: 7, on: false, room: { name: 'Hall' } }, { t: -3.5 });
  for (const program of [
    'event.payload.pick == 8',
    '8 < event.payload.pick',
    'event.payload.room.name == "Attic" && size(event.payload.nobody) > 3',
    'event.payload["on"] == true || state.t > -3',
    'event.payload.missing > 3',
    'event.name != "measured"',
  ])
    expect(quick(program)(cold), program).toBe(true);
  // True, of a different type, about an unknown value, or more than a comparison.
  for (const program of [
    'event.payload.pick == 7',
    'event.payload.pick == "8"',
    'device.tag == "x"',
    '!event.payload.on',
  ])
    expect(quick(program)(cold), program).toBe(false);
});

it('a condition found false never evaluates to true or to an error, over thousands of conditions and events', () => {
  let seed = 42;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const one = <T>(of: readonly T[]) => of[next(of.length)] as T;
  const values = [0, 1, -2, 2.5, 1e300, 'a', '', true, false, null, [], [1], {}, { a: 1 }, { a: { b: 2.5 } }];
  const literals = ['0', '1', '-2', '2.5', '"a"', '""', 'true', 'false', '9007199254740993'];
  const paths = [
    'event.payload.a',
    'event.payload["b"]',
    'state.a',
    'state.a.b',
    'event.name',
    'event.ts',
    'state.c',
  ];
  const compared = () => {
    const sides = [one(paths), one(literals)];
    return (next(4) === 0 ? sides.toReversed() : sides).join(` ${one(['==', '!=', '<', '<=', '>', '>='])} `);
  };
  const condition = (depth: number): string =>
    depth === 0 || next(3) === 0
      ? compared()
      : `(${condition(depth - 1)} ${one(['&&', '||'])} ${condition(depth - 1)})`;
  const wrong: unknown[] = [];
  let known = 0;
  for (let i = 0; i < 4_000; i++) {
    const program = condition(2);
    const cannot = quick(program);
    for (let j = 0; j < 5; j++) {
      const seen = given({ a: one(values), b: one(values) }, next(2) ? { a: one(values) } : {});
      if (!cannot(seen)) continue;
      known++;
      const result = evaluate({ program, given: seen });
      if ('error' in result || ('value' in result && result.value !== false))
        wrong.push({ program, seen, result });
    }
  }
  expect(known).toBeGreaterThan(1_000);
  expect(wrong.slice(0, 3)).toEqual([]);
});
