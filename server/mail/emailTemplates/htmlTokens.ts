/** One attribute; `from` and `to` are the position of its value, without quotes. */
export interface Attribute {
  name: string;
  at: number;
  value: string;
  from: number;
  to: number;
}

/** A part of a document, and its position. */
export type HtmlToken = { from: number; to: number } & (
  | { kind: 'text' | 'comment' | 'declaration' }
  /** The content of a `<style>`, which is not parsed as HTML. */
  | { kind: 'style' }
  | { kind: 'open'; name: string; attributes: Attribute[] }
  | { kind: 'close'; name: string }
  /** Cannot be parsed up to `failedAt`; has the name of the tag if it was readable. Parsing continues at `to`. */
  | { kind: 'fault'; failedAt: number; message: string; name?: string }
);

/**
 * Parses HTML in one pass, and accepts only what every parser reads the same way: where browsers start to guess
 * (unclosed quotes, a lone `<`), it returns an error instead, so that what was checked is what is shown.
 */
export function* htmlTokens(text: string): Generator<HtmlToken> {
  let at = 0;
  while (at < text.length) {
    const begins = text.indexOf('<', at);
    const to = begins === -1 ? text.length : begins;
    if (to > at) yield { kind: 'text', from: at, to };
    if (begins === -1) return;
    const token = readMarkup(text, begins);
    yield token;
    at = token.to;
    if (token.kind !== 'open' || token.name !== 'style') continue;
    const style = styleText(text, at);
    if (style.to > at) yield style;
    at = style.to;
  }
}

function readMarkup(text: string, from: number): HtmlToken {
  const next = text[from + 1] ?? '';
  if (next === '!') return text.startsWith('<!--', from) ? comment(text, from) : declaration(text, from);
  if (next === '/') return closeTag(text, from);
  if (isLetter(next)) return openTag(text, from);
  return fault(from, 'This < does not start a tag. Write &lt; for a literal <.');
}

function fault(from: number, message: string): HtmlToken {
  return { kind: 'fault', from, to: from + 1, failedAt: from, message };
}

/** `--!>`, `<!-->` and `<!--->` also end a comment, which few people know, so they are rejected. */
function comment(text: string, from: number): HtmlToken {
  const end = text.indexOf('-->', from + 4);
  // Everything that follows is part of the comment.
  if (end === -1) return { ...fault(from, 'This comment is not closed with -->.'), to: text.length };
  const inside = text.slice(from + 4, end);
  if (/^-?>|--!>/.test(inside)) return fault(from, 'This comment ends earlier than it seems. Rewrite it.');
  return { kind: 'comment', from, to: end + 3 };
}

/** `<!doctype html>`, `<![endif]>` */
function declaration(text: string, from: number): HtmlToken {
  const end = text.indexOf('>', from);
  return end === -1
    ? fault(from, 'This declaration is not closed with >.')
    : { kind: 'declaration', from, to: end + 1 };
}

const closing = /<\/([A-Za-z][A-Za-z0-9]*)[ \t\r\n]*>/y;

function closeTag(text: string, from: number): HtmlToken {
  closing.lastIndex = from;
  const found = closing.exec(text);
  if (!found) return fault(from, 'This closing tag is incomplete. Write </name>.');
  return { kind: 'close', from, to: closing.lastIndex, name: (found[1] ?? '').toLowerCase() };
}

const opening = /<([A-Za-z][A-Za-z0-9]*)/y;
const blank = /[ \t\r\n]*/y;
const ending = /\/?>/y;
/** The value is in quotes, or contains no character that could end it. */
const attribute =
  /([A-Za-z_:][\w:.-]*)(?:[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)'|([^ \t\r\n"'=<>`\ufffc]+)))?/y;

function openTag(text: string, from: number): HtmlToken {
  const name = (take(opening, text, from)?.[1] ?? '').toLowerCase();
  const attributes: Attribute[] = [];
  const nameTo = opening.lastIndex;
  let at = nameTo;
  for (;;) {
    take(blank, text, at);
    const gap = blank.lastIndex - at;
    at = blank.lastIndex;
    const end = take(ending, text, at)?.[0];
    if (end) return { kind: 'open', from, to: at + end.length, name, attributes };
    const found = gap > 0 ? take(attribute, text, at) : null;
    if (!found) {
      const message = `This <${name}> tag is incomplete: ${whyNot(text, at)}`;
      return { kind: 'fault', from, to: nameTo, failedAt: at, message, name };
    }
    const [all, given = '', double, single, bare] = found;
    const value = double ?? single ?? bare ?? '';
    const quote = double !== undefined || single !== undefined ? 1 : 0;
    const valueTo = at + all.length - quote;
    attributes.push({ name: given.toLowerCase(), at, value, from: valueTo - value.length, to: valueTo });
    at += all.length;
  }
}

function whyNot(text: string, at: number): string {
  if (at >= text.length || text[at] === '<') return 'the > is missing.';
  if (text[at] === '\ufffc') return 'braces are only allowed inside a quoted attribute.';
  return 'check its quotes and the spaces between attributes.';
}

function take(shape: RegExp, text: string, at: number): RegExpExecArray | null {
  shape.lastIndex = at;
  return shape.exec(text);
}

function styleText(text: string, from: number): HtmlToken {
  const end = /<\/style[\s/>]/gi;
  end.lastIndex = from;
  return { kind: 'style', from, to: end.exec(text)?.index ?? text.length };
}

function isLetter(sign: string): boolean {
  return /^[A-Za-z]$/.test(sign);
}
