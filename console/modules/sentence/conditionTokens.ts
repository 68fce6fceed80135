/** A word, sign or literal of a condition, and where it stands. */
export interface Token {
  kind: 'word' | 'number' | 'text' | 'sign';
  text: string;
  /** Of a text: without its quotation marks. */
  value: string;
  from: number;
  to: number;
}

const pattern =
  /\s*(?:(?<word>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?(?![\w.]))|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<sign>&&|\|\||[=!<>]=|[<>!().,+*/%?:[\]-]))/y;

/** Undefined if the code has anything that no sentence can say. */
export function tokensOf(code: string): Token[] | undefined {
  const tokens: Token[] = [];
  const end = code.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const match = pattern.exec(code);
    if (!match) return undefined;
    const token = tokenOf(match.groups ?? {}, pattern.lastIndex);
    if (!token) return undefined;
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, to: number): Token | undefined {
  const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
  if (text === undefined) return undefined;
  const value = kind === 'text' ? unquoted(text) : text;
  return value === undefined
    ? undefined
    : { kind: kind as Token['kind'], text, value, from: to - text.length, to };
}

/** Undefined if it has an escape that JSON does not know. */
function unquoted(text: string): string | undefined {
  const inside = text.slice(1, -1);
  const asJson = text.startsWith("'") ? inside.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"') : inside;
  try {
    return JSON.parse(`"${asJson}"`) as string;
  } catch {
    return undefined;
  }
}
