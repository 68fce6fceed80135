/** Strict JSON: everything JSON.parse accepts, except values that would be stored differently from what was sent. */
export type StrictJson = { ok: true; value: unknown } | { ok: false; fault: JsonFault; at?: number };
export type JsonFault = 'SYNTAX' | 'TOO_DEEP' | 'DUPLICATE_KEY' | 'NUMBER_RANGE' | 'TEXT';

const depthMax = 100;

/**
 * Rejects duplicate keys, nesting deeper than 100, numbers that lose digits, NUL and lone surrogates. `at`:
 * offset in the text, if it is known.
 */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, fault: 'SYNTAX', ...syntaxPlace(text, error) };
  }
  return scan(text) ?? { ok: true, value };
}

/** Scans text that is known to be valid JSON for what JSON.parse lets through. */
function scan(text: string): StrictJson | undefined {
  // One entry per level: the keys seen in an object, null in an array.
  const levels: (Set<string> | null)[] = [];
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{' || char === '[') {
      levels.push(char === '{' ? new Set() : null);
      keyNext = char === '{';
      if (levels.length > depthMax) return { ok: false, fault: 'TOO_DEEP', at: i };
    } else if (char === '}' || char === ']') {
      levels.pop();
      keyNext = false;
    } else if (char === ',') {
      keyNext = Boolean(levels.at(-1));
    } else if (char === '"') {
      const end = stringEnd(text, i);
      const content: string = JSON.parse(text.slice(i, end + 1));
      if (content.includes('\0') || !content.isWellFormed()) return { ok: false, fault: 'TEXT', at: i };
      const keys = levels.at(-1);
      if (keyNext && keys) {
        if (keys.has(content)) return { ok: false, fault: 'DUPLICATE_KEY', at: i };
        keys.add(content);
        keyNext = false;
      }
      i = end;
    } else if (char === '-' || (char && char >= '0' && char <= '9')) {
      const end = numberEnd(text, i);
      if (!keepsItsDigits(text.slice(i, end))) return { ok: false, fault: 'NUMBER_RANGE', at: i };
      i = end - 1;
    }
  }
  return undefined;
}

function stringEnd(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}

function numberEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && /[\d.eE+-]/.test(text.charAt(i))) i++;
  return i;
}

/** Comparing more digits would take long, and no number needs as many. */
const digitsMax = 1_000;

/**
 * Whether a number is stored as it was sent. Rounding fractions to about 16 digits is accepted, as usual. An integer
 * that would be read back as a different one, or a value that becomes 0 or infinite, would be silently wrong.
 */
function keepsItsDigits(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value) || number.length > digitsMax) return false;
  // The database has no place for a zero with thousands of decimals.
  if (value === 0) return /^-?[0.]*(e[+-]?\d{1,3})?$/i.test(number);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || integerOf(number) === integerOf(String(value));
}

/** The exact value in any notation; undefined if the number has a fraction. */
function integerOf(number: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = whole + fraction;
  const end = whole.length + Number(exponent);
  if (/[1-9]/.test(digits.slice(end))) return undefined;
  return BigInt(`${digits.slice(0, end).padEnd(end, '0')}`) * (sign ? -1n : 1n);
}

/** V8 gives the position of most errors, but not of a token that it did not expect. */
function syntaxPlace(text: string, error: unknown): { at?: number } {
  const place = /position (\d+)/.exec(String(error))?.[1];
  if (place !== undefined) return { at: Number(place) };
  return /end of JSON/.test(String(error)) ? { at: text.length } : {};
}
