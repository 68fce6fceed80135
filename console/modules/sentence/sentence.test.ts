import { type ASTNode, parse } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alone, type Condition, comparisons, methods, type Op, type Test } from './condition.ts';
import { readCondition } from './readCondition.ts';
import { readSentence, type Sentence, writeSentence } from './sentence.ts';
import { writeCondition, writePath, writeTest } from './writeCondition.ts';

const name = fc.oneof(
  fc.constantFrom('in', 'null', 'true', 'has'),
  fc.stringMatching(/^[A-Za-z_]\w{0,8}$/),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const path = fc
  .tuple(fc.constantFrom('state', 'event', 'device'), fc.array(name, { minLength: 1, maxLength: 3 }))
  // Such a name would be read as a comparison of texts.
  .filter(([, names]) => !Object.values<string>(methods).includes(names.at(-1) ?? ''))
  .map(([root, names]) => writePath([root, ...names]));
const number = fc.stringMatching(/^-?(0|[1-9]\d{0,4})(\.\d{1,3})?$/).map(text => ({ number: text }));
const text = fc.string({ maxLength: 12, unit: 'grapheme' }).map(said => ({ text: said }));
const bool = fc.boolean().map(said => ({ bool: said }));

const ops = <Ops extends object>(given: Ops) => fc.constantFrom(...(Object.keys(given) as Op[]));
const finished: fc.Arbitrary<Test> = fc.oneof(
  fc.record({ left: path, op: ops(comparisons), value: fc.oneof(number, text, bool) }),
  fc.record({ left: path, op: ops(methods), value: text }),
  fc.record({ left: path, op: fc.constantFrom(...alone) }),
);
const unfinished: fc.Arbitrary<Test> = fc.oneof(
  fc.constant({}),
  fc.record({ left: path, op: fc.oneof(ops(comparisons), ops(methods)) }),
);
const conditionOf = (test: fc.Arbitrary<Test>): fc.Arbitrary<Condition> =>
  fc.record({ join: fc.constantFrom('and', 'or'), tests: fc.array(test, { maxLength: 4 }) }).map(normal);

const textOf = ({ input, start, end }: ASTNode) => input.slice(start, end);
const termsOf = (node: ASTNode): ASTNode[] =>
  node.op === '&&' || node.op === '||' ? node.args.flatMap(termsOf) : [node];

/** One comparison alone is joined by nothing. */
const normal = ({ join, tests }: Condition): Condition => ({ join: tests.length < 2 ? 'and' : join, tests });

describe('a sentence and its code are one rule', () => {
  it('whatever is said is read back from its code, also while it is unfinished', () => {
    fc.assert(
      fc.property(conditionOf(fc.oneof(finished, unfinished)), condition => {
        expect(readCondition(writeCondition(condition))).toEqual(condition);
      }),
    );
  });

  it('what is finished is code that the platform understands, with the parts in the same order', () => {
    fc.assert(
      fc.property(conditionOf(finished), condition => {
        const { ast } = parse(writeCondition(condition));
        if (condition.tests.length > 1)
          expect(termsOf(ast).map(textOf)).toEqual(condition.tests.map(writeTest));
      }),
    );
  });

  it('classes and events are kept, and a connection is said by its own words', () => {
    const starts = fc.oneof(
      fc.record({ presence: fc.constantFrom('online' as const, 'offline' as const) }),
      fc.record({ events: fc.subarray(['_alert_', '_state_', 'pressed']) }),
    );
    const sentence = fc
      .record({ classes: fc.array(name, { maxLength: 2 }), starts, condition: conditionOf(finished) })
      .map(
        ({ condition, ...rest }): Sentence => ({
          ...rest,
          ...condition,
          ...('presence' in rest.starts && { join: 'and' }),
        }),
      );
    fc.assert(
      fc.property(sentence, said => {
        const { condition, ...values } = writeSentence(said);
        expect(readSentence({ ...values, configData: { condition } })).toEqual(said);
      }),
    );
  });

  it.each([
    ['state.temperature < 6.0', 'state.temperature < 6.0'],
    ["state['supply voltage']>=-3&&!state.open", 'state["supply voltage"] >= -3 && !state.open'],
    [
      'has( state.power.watts ) || device.tag.startsWith("it\'s")',
      'has(state.power.watts) || device.tag.startsWith("it\'s")',
    ],
    ['true', 'true'],
  ])('%s is said and written again as the same', (code, again) => {
    const condition = readCondition(code);
    expect('reason' in condition ? condition.reason : writeCondition(condition)).toBe(again);
  });

  it.each([
    ['state.a > 3 && state.b > 3 || state.c > 3', 'It mixes “and” and “or”.'],
    ['state.a > 3 && mean(state.b, 10) > 2', 'A sentence cannot say `mean(state.b, 10) > 2`.'],
    ['(state.a > 3)', 'A sentence cannot say `(state.a > 3)`.'],
    ['state.a > state.b', 'A sentence cannot say `state.a > state.b`.'],
    ['data.limits.max > 3', 'A sentence cannot say `data.limits.max > 3`.'],
    ['state.a + 1 > 3', 'A sentence cannot say `state.a + 1 > 3`.'],
    ['!state.a == true', 'A sentence cannot say `!state.a == true`.'],
  ])('%s is not said: %s', (code, reason) => {
    expect(readCondition(code)).toEqual({ reason });
  });
});
