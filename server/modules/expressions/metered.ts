import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { childrenOf } from './astNodes.ts';
import {
  callCharges,
  chargeItem,
  chargeList,
  chargeMap,
  chargeOperator,
  chargeRange,
  chargeType,
} from './costs.ts';
import type { Meter } from './meter.ts';

/** The library passes at most four arguments. */
type Work = (a: unknown, b: unknown, c: unknown, d?: unknown) => unknown;

/** The parts of a checked node that the library does not declare. */
interface Inner {
  op: string;
  /** Of an operator, a call or a loop: works on the values of its operands. */
  handle?: Work;
  meta: { evaluate: Work; macro?: { evaluate: Work }; alternate?: Inner };
  args: unknown;
}

/** What a macro such as `map` becomes. */
interface Loop extends Inner {
  args: { step: Inner; condition?: (value: unknown) => boolean };
}

/** An error that is caught costs more than a value: it is written in words. */
const failureSteps = 500;
/** Operators whose work depends on the size of their operands. */
const sized = new Set(['+', '==', '!=', '<', '<=', '>', '>=', 'in']);

/**
 * Parses an expression so that its evaluation charges the meter: each call and operator before it works on its
 * arguments, and each item of a loop for all parts that are evaluated for it. The other parts take constant time, and
 * their number is limited.
 */
export function parseMetered(language: Environment, source: string, meter: Meter): ParseResult {
  const parsed = language.parse(source);
  const { valid, error } = parsed.check();
  if (!valid) throw error;
  charge(parsed.ast, meter);
  return parsed;
}

/** The part of an expression in which an error happened that is not the library's own. */
export const placeOfError = (error: unknown): ASTNode | undefined =>
  error instanceof Error ? places.get(error) : undefined;

const places = new WeakMap<Error, ASTNode>();
const innerOf = (node: ASTNode) => node as ASTNode & Inner;

/** Returns the number of parts. */
function charge(node: ASTNode, meter: Meter): number {
  const parts = childrenOf(node).reduce((sum, child) => sum + charge(child, meter), 1);
  const inner = innerOf(node);
  const { macro, alternate } = inner.meta;
  if (alternate) {
    if (alternate.op === 'comprehension') chargeLoop(alternate as Loop, node, { meter, parts });
  } else if (node.op === 'call' || node.op === 'rcall') {
    const charges = chargesOf(node.args[0]);
    // A macro such as `has` works on no values.
    if (!macro)
      before(inner, node, given => {
        const args = given as unknown[];
        for (const arg of args) chargeType(meter, arg);
        charges(meter, args);
      });
  } else if (sized.has(node.op))
    before(inner, node, (left, right) => chargeOperator(meter, node.op, left, right));
  else if (node.op === 'list' || node.op === 'map') {
    const [charges, size] = [node.op === 'list' ? chargeList : chargeMap, node.args.length];
    wrap(inner, work => (ev, ast, ctx) => {
      charges(meter, size);
      return work(ev, ast, ctx);
    });
  } else if (node.op === '&&' || node.op === '||')
    for (const part of node.args)
      wrap(innerOf(part), work => (ev, ast, ctx) => {
        try {
          return work(ev, ast, ctx);
        } catch (error) {
          meter.steps(failureSteps);
          throw error;
        }
      });
  return parts;
}

function chargesOf(name: string) {
  const charges = Object.hasOwn(callCharges, name) ? callCharges[name] : undefined;
  if (!charges) throw new Error(`\`${name}\` is not available`);
  return charges;
}

function chargeLoop(loop: Loop, node: ASTNode, { meter, parts }: { meter: Meter; parts: number }): void {
  before(loop, node, items => chargeRange(meter, items));
  const { condition, step } = loop.args;
  wrap(step, work => (ev, ast, ctx) => {
    try {
      meter.steps(parts);
      chargeItem(meter);
      return work(ev, ast, ctx);
    } catch (error) {
      meter.steps(failureSteps);
      throw error;
    }
  });
  // A loop goes on after an item that fails, but not after an error of its condition.
  if (condition)
    loop.args.condition = value => {
      meter.throwIfSpent();
      return condition(value);
    };
}

/** Charges before the work on values. Fails if the library keeps that elsewhere: then nothing would be charged. */
function before(inner: Inner, node: ASTNode, charges: (a: unknown, b: unknown) => void): void {
  const work = inner.handle;
  if (typeof work !== 'function') throw new Error('This expression cannot be bounded');
  inner.handle = (a, b, c, d) => {
    try {
      charges(a, b);
      return work(a, b, c, d);
    } catch (error) {
      if (error instanceof Error && !places.has(error)) places.set(error, node);
      throw error;
    }
  };
}

/** Replaces the evaluation of a node, which for macros is that of what they become. */
function wrap({ meta }: Inner, around: (work: Work) => Work): void {
  const held = meta.alternate?.meta ?? meta.macro ?? meta;
  held.evaluate = around(held.evaluate);
}
