import { alone, type Condition, comparisons, methods, type Op, type Test, type Value } from './condition.ts';
import { type Token, tokensOf } from './conditionTokens.ts';
import { writePath } from './writeCondition.ts';

/** Reads code as a condition that a sentence can say, also if it is unfinished; or says why no sentence can. */
export function readCondition(code: string): Condition | { reason: string } {
  const tokens = tokensOf(code);
  if (!tokens) return cannotSay(code);
  const only = tokens.length === 1 ? tokens[0] : undefined;
  if (only?.kind === 'word' && only.text === 'true') return { join: 'and', tests: [] };
  const joins = new Set(tokens.filter(({ text }) => text === '&&' || text === '||').map(({ text }) => text));
  if (joins.size > 1) return { reason: 'It mixes “and” and “or”.' };
  const tests: Test[] = [];
  for (const part of partsOf(tokens)) {
    const test = readTest(part);
    if (!test) return cannotSay(code.slice(part[0]?.from, part.at(-1)?.to));
    tests.push(test);
  }
  return { join: joins.has('||') ? 'or' : 'and', tests };
}

const cannotSay = (code: string) => ({ reason: `A sentence cannot say \`${code.trim()}\`.` });

function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens)
    if (token.text === '&&' || token.text === '||') parts.push([]);
    else parts.at(-1)?.push(token);
  return parts;
}

/** Undefined if it is anything but one comparison of a value. */
function readTest(tokens: readonly Token[]): Test | undefined {
  if (tokens.length === 0) return {};
  const isNot = tokens[0]?.text === '!';
  const [first, ...rest] = isNot ? tokens.slice(1) : tokens;
  if (first?.text === 'has' && rest[0]?.text === '(' && rest.at(-1)?.text === ')') {
    const path = readPath(rest.slice(1, -1));
    return path?.rest.length === 0
      ? { left: writePath(path.names), op: isNot ? 'missing' : 'there' }
      : undefined;
  }
  const path = readPath(isNot ? tokens.slice(1) : tokens);
  if (!path) return undefined;
  if (path.rest.length === 0) return { left: writePath(path.names), op: isNot ? alone[1] : alone[0] };
  return isNot ? undefined : (readMethod(path) ?? readComparison(path));
}

interface Path {
  names: string[];
  rest: readonly Token[];
}

const roots = ['state', 'event', 'device'];

/** `state.power["watts"]`, and what follows it. */
function readPath(tokens: readonly Token[]): Path | undefined {
  const [root, ...rest] = tokens;
  if (root?.kind !== 'word' || !roots.includes(root.text)) return undefined;
  const names = [root.text];
  let at = 0;
  for (;;) {
    const [first, second, third] = rest.slice(at, at + 3);
    if (first?.text === '.' && second?.kind === 'word') {
      names.push(second.text);
      at += 2;
    } else if (first?.text === '[' && second?.kind === 'text' && third?.text === ']') {
      names.push(second.value);
      at += 3;
    } else break;
  }
  return names.length > 1 ? { names, rest: rest.slice(at) } : undefined;
}

/** `device.name.contains("hall")` */
function readMethod({ names, rest }: Path): Test | undefined {
  const op = keyOf(methods, names.at(-1));
  if (!op || rest[0]?.text !== '(' || rest.at(-1)?.text !== ')' || names.length < 3) return undefined;
  const value = readValue(rest.slice(1, -1));
  if (value === 'none' || (value && !('text' in value))) return undefined;
  return { left: writePath(names.slice(0, -1)), op, ...(value && { value }) };
}

function readComparison({ names, rest: [sign, ...right] }: Path): Test | undefined {
  const op = keyOf(comparisons, sign?.kind === 'sign' ? sign.text : undefined);
  const value = readValue(right);
  if (!op || value === 'none') return undefined;
  return { left: writePath(names), op, ...(value && { value }) };
}

/** Undefined if there is no value yet; `none` if it is something else. */
function readValue(tokens: readonly Token[]): Value | undefined | 'none' {
  const [first, second, ...more] = tokens;
  if (!first) return undefined;
  if (first.text === '-' && second?.kind === 'number' && more.length === 0)
    return { number: `-${second.text}` };
  if (second) return 'none';
  if (first.kind === 'number') return { number: first.text };
  if (first.kind === 'text') return { text: first.value };
  const isBool = first.text === 'true' || first.text === 'false';
  return isBool ? { bool: first.text === 'true' } : 'none';
}

function keyOf<Key extends Op>(
  words: Readonly<Record<Key, string>>,
  word: string | undefined,
): Key | undefined {
  return (Object.keys(words) as Key[]).find(key => words[key] === word);
}
