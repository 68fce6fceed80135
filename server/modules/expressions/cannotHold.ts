import type { ASTNode } from '@marcbachmann/cel-js';
import { pathOf } from './language.ts';

/** The values of an expression, as far as they are already known. */
export interface Seen {
  event?: { name: string; deviceId: string; payload?: unknown } | undefined;
  state?: Readonly<Record<string, unknown>>;
  device?: { id: string; tag: string; name: string; class: string } | undefined;
}

/** `missing`: the part is about a field that does not exist. */
type Answer = 'false' | 'missing' | 'unknown';
type Ask = (seen: Seen) => Answer;
type Literal = number | string | boolean;

/**
 * Tells in a fraction of a microsecond that a condition does not hold, based on the parts that compare a value with a
 * constant: with many rules, most events concern only few of them. False: the condition must be evaluated.
 */
export function cannotHold(condition: ASTNode): (seen: Seen) => boolean {
  const ask = askOf(condition);
  return ask ? seen => ask(seen) !== 'unknown' : () => false;
}

function askOf(node: ASTNode): Ask | undefined {
  if (node.op === '&&') {
    // One false part decides, even if the other cannot be evaluated.
    const asks = node.args.flatMap(part => askOf(part) ?? []);
    return asks.length === 0
      ? undefined
      : seen => (asks.some(ask => ask(seen) === 'false') ? 'false' : 'unknown');
  }
  if (node.op === '||') {
    const [a, b] = node.args.map(askOf);
    return a && b && (seen => (a(seen) === 'false' && b(seen) === 'false' ? 'false' : 'unknown'));
  }
  return comparison(node);
}

const holds: Record<string, (a: Literal, b: Literal) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
const turned: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparison({ op, args }: ASTNode): Ask | undefined {
  if (!Object.hasOwn(holds, op)) return undefined;
  const [left, right] = args as [ASTNode, ASTNode];
  const isTurned = literalOf(right) === undefined;
  const literal = literalOf(isTurned ? left : right);
  const path = pathOf(isTurned ? right : left);
  const holdsHere = holds[isTurned ? (turned[op] ?? op) : op];
  // With other types, an order comparison may be an error or have a different meaning.
  const isOrder = op !== '==' && op !== '!=';
  if (literal === undefined || !path || !holdsHere || (isOrder && typeof literal !== 'number'))
    return undefined;
  const read = reader(path);
  return read && (seen => answer(read(seen), value => holdsHere(value, literal), typeof literal));
}

function answer(value: unknown, holdsFor: (value: Literal) => boolean, type: string): Answer {
  if (value === missing) return 'missing';
  return typeof value === type && !holdsFor(value as Literal) ? 'false' : 'unknown';
}

/** A number (also negative), a text or a boolean; undefined for anything else. */
function literalOf(node: ASTNode): Literal | undefined {
  if (node.op === '-_') {
    const number = literalOf(node.args);
    return typeof number === 'number' ? -number : undefined;
  }
  if (node.op !== 'value') return undefined;
  const value: unknown = typeof node.args === 'bigint' ? Number(node.args) : node.args;
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

const missing = Symbol('missing');
const roots = new Set(['event', 'state', 'device']);
/** Fields with the same value as in expressions, where other fields have a different type or are computed. */
const fields = { event: ['name', 'deviceId', 'payload'], device: ['id', 'tag', 'name', 'class'] };

/** Undefined if the path is not one of these fields. */
function reader([root = '', ...names]: readonly string[]): ((seen: Seen) => unknown) | undefined {
  const [first = ''] = names;
  if (!roots.has(root) || names.length === 0) return undefined;
  if (root !== 'state' && !fields[root as keyof typeof fields].includes(first)) return undefined;
  return seen => {
    let value: unknown = seen[root as keyof Seen];
    for (const name of names) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      if (!Object.hasOwn(value, name)) return missing;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  };
}
