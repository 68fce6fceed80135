/** What ECMAScript means by `\s` and by `.`, as the inside of a character class. */
const space =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const lineEnd = '\\n\\r\\x{2028}\\x{2029}';

/** Letters and digits that may follow a backslash in ECMAScript with the flag `u`. */
const escapes = /[dDwWsSbBtnrfvcxupPk0-9]/;
const isLetterOrDigit = /[A-Za-z0-9]/;
/** General categories, which both name alike. */
const category = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const token = /\\[pP]\{[^}]*\}|\\[\s\S]?|\(\?(?:P?[<=!:]|[a-z-]*[:)]?)|[[\].]|[^\\[\].(]+|\(/g;

/**
 * Rewrites a regular expression of ECMAScript for RE2, which means less by `\s` and more by `.`, and knows escapes and
 * groups that ECMAScript does not. Throws for those.
 */
export function ecmaPattern(pattern: string): string {
  let isInClass = false;
  const parts = pattern.match(token)?.map(part => {
    if (part.startsWith('\\')) return rewritten(part, isInClass);
    if (isInClass) {
      if (part === ']') isInClass = false;
      // RE2 would read `[[:alpha:]]` as a class of its own.
      return part === '[' ? '\\[' : part;
    }
    if (part === '[') isInClass = true;
    if (part.startsWith('(?P') || /^\(\?[a-z-]*\)$/.test(part))
      throw new Error(`${part} is not part of a regular expression of JavaScript`);
    return part === '.' ? `[^${lineEnd}]` : part;
  });
  return parts?.join('') ?? pattern;
}

function rewritten(part: string, isInClass: boolean): string {
  if (part === '\\s') return isInClass ? space : `[${space}]`;
  if (part === '\\S') return isInClass ? notSpace : `[^${space}]`;
  if (/^\\[pP]\{/.test(part)) return property(part);
  const escaped = part.slice(1);
  if (isLetterOrDigit.test(escaped) && !escapes.test(escaped))
    throw new Error(`${part} is not part of a regular expression of JavaScript`);
  return part;
}

/** `\p{L}` and `\p{Script=Greek}`; RE2 writes the latter `\p{Greek}`. */
function property(part: string): string {
  const [, letter, key, name = ''] = /^\\([pP])\{(?:(\w+)=)?(\w+)\}$/.exec(part) ?? [];
  const isKnown =
    key === undefined ? category.test(name) : /^(?:Script|sc)$/.test(key) || category.test(name);
  if (!isKnown) throw new Error(`${part} is written \\p{L}, or \\p{Script=Greek} for a script`);
  return `\\${letter}{${name}}`;
}
