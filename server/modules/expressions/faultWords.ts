import type { ExpressionFault } from './bounds.ts';
import { nodesMax } from './language.ts';

/** The library's error for an expression with wrong syntax or types. */
interface CelFault {
  code?: string;
  summary?: string;
  range?: { start: number; end: number };
}

/** What an error can name. */
export interface KnownWords {
  /** Names that were possibly meant. */
  names: readonly string[];
  /** Who reports the state, in the plural: `thermostats`. */
  reporters?: string;
}

/** Translates an error of the library into the terms of the product, with the position. */
export function faultInWords(
  error: unknown,
  source: string,
  known: KnownWords = { names: [] },
): ExpressionFault {
  const { code = '', summary = String(error), range } = (error ?? {}) as CelFault;
  const place = placeOf(range, source);
  if (code === 'no_such_key') return { message: noSuchName(summary, source, place.from, known), ...place };
  return { message: messageOf(code, summary, source.slice(place.from, place.to), known.names), ...place };
}

/** The position, at least one character long, so that there is something to underline. */
function placeOf(range: CelFault['range'], source: string): { from: number; to: number } {
  const to = Math.min(Math.max(range?.end ?? source.length, 1), source.length);
  const from = Math.min(range?.start ?? 0, Math.max(to - 1, 0));
  return { from, to: Math.max(to, from) };
}

/** Says whose name is missing: that of the devices, of the event, or of the data. */
function noSuchName(summary: string, source: string, from: number, { names, reporters }: KnownWords): string {
  const name = lastName(summary);
  const [, holder = ''] =
    /(?:^|[^\w.])(state|event\.payload|event|device|data)[\w.[\]"]*$/.exec(source.slice(0, from)) ?? [];
  const meant = suggestion(name, names);
  if (holder === 'state') return `${reporters ?? 'These devices'} do not report \`${name}\`.${meant}`;
  if (holder === 'event.payload') return `The payload of the event has no \`${name}\`.${meant}`;
  if (holder === 'data') return `The rule uses no data with the label \`${name}\`.${meant}`;
  return `No property \`${name}\`.${meant}`;
}

const lastName = (summary: string) => /: (\S+)$/.exec(summary)?.[1] ?? '';

function messageOf(code: string, summary: string, text: string, names: readonly string[]): string {
  const name = lastName(summary);
  switch (code) {
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
    .map(one => ({ one, far: begins(one, name) ? 1 : distance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  return near && near.far <= Math.max(2, name.length / 4) ? ` Did you mean \`${near.one}\`?` : '';
}

/** `temp` is short for `temperature`. */
const begins = (name: string, start: string) =>
  start.length > 2 && name.toLowerCase().startsWith(start.toLowerCase());

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
