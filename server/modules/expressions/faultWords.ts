import type { ExpressionFault } from './bounds.ts';
import { nodesMax } from './language.ts';

/** The library's error for an expression with wrong syntax or types. */
interface CelFault {
  code?: string;
  summary?: string;
  range?: { start: number; end: number };
}

/** Translates an error of the library into the terms of the product, with the position. */
export function faultInWords(error: unknown, source: string, names: readonly string[] = []): ExpressionFault {
  const { code = '', summary = String(error), range } = (error ?? {}) as CelFault;
  const place = placeOf(range, source);
  return { message: messageOf(code, summary, source.slice(place.from, place.to), names), ...place };
}

/** The position, at least one character long, so that there is something to underline. */
function placeOf(range: CelFault['range'], source: string): { from: number; to: number } {
  const to = Math.min(Math.max(range?.end ?? source.length, 1), source.length);
  const from = Math.min(range?.start ?? 0, Math.max(to - 1, 0));
  return { from, to: Math.max(to, from) };
}

function messageOf(code: string, summary: string, text: string, names: readonly string[]): string {
  const name = /: (\S+)$/.exec(summary)?.[1] ?? '';
  switch (code) {
    case 'no_such_key':
      return `There is no \`${name}\` here.${suggestion(name, names)}`;
    case 'unknown_variable':
      return `\`${name}\` is not known. Start with \`state\`, \`event\`, \`device\` or \`data\`.${
        names.includes(name) ? ` Did you mean \`state.${name}\`?` : ''
      }`;
    case 'limit_exceeded':
      return summary.includes('Depth')
        ? 'This expression is nested too deeply.'
        : summary.includes('stnodes') || summary.includes('AstNodes')
          ? `This expression is too long: it can have at most ${nodesMax} parts.`
          : 'This expression is too long.';
    case 'no_such_overload':
      return overload(summary);
    case 'no_matching_overload':
      return callFault(summary);
    case 'invalid_logical_operand':
      return `\`&&\` and \`||\` need true or false on both sides. ${typeWords(/got '(.+)'/.exec(summary)?.[1] ?? '')} is not.`;
    case 'unexpected_token':
    case 'expected_token':
      return /EOF/.test(summary) ? 'Something is missing at the end.' : `\`${text}\` is not expected here.`;
    case 'unexpected_character':
      return characterFault(text);
    case 'unterminated_string':
      return 'The closing quotation mark is missing.';
    case 'incompatible_ternary_branches':
      return 'The values before and after `:` must be of the same type.';
    default:
      return `${summary.split('\n')[0]?.replace(/\.$/, '')}.`;
  }
}

function characterFault(text: string): string {
  if (text.startsWith('=')) return 'Use `==` to compare.';
  if (text.startsWith('&')) return 'Use `&&` for “and”.';
  if (text.startsWith('|')) return 'Use `||` for “or”.';
  return `\`${text}\` is not expected here.`;
}

function overload(summary: string): string {
  const [, left, sign, right] = /overload: (.+?) (==|!=|<=|>=|<|>|\+|-|\*|\/|%|in) (.+)$/.exec(summary) ?? [];
  if (left !== undefined && right !== undefined)
    return `\`${sign}\` does not work with ${typeWords(left)} and ${typeWords(right)}.`;
  const [, unary, operand] = /overload: ([!-])(.+)$/.exec(summary) ?? [];
  return operand === undefined
    ? 'Values of these types cannot be combined.'
    : `\`${unary}\` does not work with ${typeWords(operand)}.`;
}

function callFault(summary: string): string {
  const call = /'(.+)'/.exec(summary)?.[1] ?? '';
  const [, name, args = ''] = /([\w$]+)\((.*)\)$/.exec(call) ?? [];
  const words = args === '' ? 'nothing' : args.split(', ').map(typeWords).join(' and ');
  return `There is no function \`${name}\` that takes ${words}.`;
}

function typeWords(type: string): string {
  const bare = type.replace(/^dyn<(.+)>$/, '$1');
  if (bare === 'int' || bare === 'double' || bare === 'uint') return 'a number';
  if (bare === 'string') return 'a text';
  if (bare === 'bool') return 'true or false';
  if (bare === 'null') return 'null';
  if (bare.startsWith('list')) return 'a list';
  if (bare.endsWith('Timestamp')) return 'a time';
  if (bare.endsWith('Duration')) return 'a duration';
  return bare === 'dyn' ? 'a value of any kind' : 'an object';
}

/** The name that was probably meant. */
function suggestion(name: string, names: readonly string[]): string {
  const near = names
    .map(one => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  return near && near.far <= Math.max(2, name.length / 4) ? ` Did you mean \`${near.one}\`?` : '';
}

/** The number of letters to replace, add or remove (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].slice(0, 60).entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (next[j - 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + (b[j - 1] === letter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
