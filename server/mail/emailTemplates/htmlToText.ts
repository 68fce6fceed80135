import { decodeEntities } from './entities.ts';
import { type Attribute, type HtmlToken, htmlTokens } from './htmlTokens.ts';
import { voidElements } from './mailHtml.ts';

/** The text part of an e-mail, for readers without HTML. Expects HTML that passed the check. */
export function htmlToText(html: string): string {
  const writer = new Writer();
  for (const token of htmlTokens(html)) writer.take(html, token);
  return writer.text();
}

const blocks = new Set(
  `address article aside blockquote body center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr html
  main nav ol p pre section table tbody td tfoot th thead tr ul li`.split(/\s+/),
);
/** Elements with an empty line before and after them. */
const paragraphs = new Set('blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul section'.split(' '));
const unseen = new Set(['head', 'title', 'style']);

interface Link {
  href: string;
  /** The index of the first part of its label. */
  from: number;
}

class Writer {
  #parts: string[] = [];
  /** Line breaks to write before the next word. */
  #breaks = 0;
  #space = false;
  #links: Link[] = [];
  /** The nesting depth within elements that are not shown. */
  #hidden = 0;
  #pre = 0;

  take(html: string, token: HtmlToken): void {
    if (token.kind === 'text') this.#write(decodeEntities(html.slice(token.from, token.to)));
    else if (token.kind === 'open') this.#open(token.name, token.attributes);
    else if (token.kind === 'close') this.#close(token.name);
  }

  text(): string {
    return `${this.#parts.join('')}\n`;
  }

  #open(name: string, attributes: Attribute[]): void {
    if (this.#hidden > 0 || unseen.has(name) || isHidden(attributes)) {
      if (!voidElements.has(name)) this.#hidden += 1;
      return;
    }
    this.#break(name);
    if (name === 'br') this.#breaks = Math.min(2, this.#breaks + 1);
    if (name === 'pre') this.#pre += 1;
    if (name === 'li') this.#write('- ');
    if (name === 'hr') {
      this.#write('---');
      this.#breaks = 2;
    }
    if (name === 'img') this.#write(decodeEntities(attributeOf(attributes, 'alt')));
    if (name === 'a')
      this.#links.push({ href: decodeEntities(attributeOf(attributes, 'href')), from: this.#parts.length });
  }

  #close(name: string): void {
    if (this.#hidden > 0) {
      this.#hidden -= 1;
      return;
    }
    if (name === 'a') this.#closeLink();
    if (name === 'pre') this.#pre -= 1;
    if (name === 'td' || name === 'th') this.#space = true;
    else this.#break(name);
  }

  /** Appends the address as in `Set new password (https://…)`, unless the label already contains it. */
  #closeLink(): void {
    const link = this.#links.pop();
    if (!link || link.href === '' || link.href.startsWith('#')) return;
    const label = this.#parts.slice(link.from).join('').trim();
    const shown = link.href.replace(/^(mailto|tel|sms):/i, '');
    if (label === shown || label === link.href) return;
    this.#write(label === '' ? shown : ` (${shown})`);
  }

  #break(name: string): void {
    if (!blocks.has(name) || name === 'td' || name === 'th') return;
    this.#breaks = Math.max(this.#breaks, paragraphs.has(name) ? 2 : 1);
    this.#space = false;
  }

  #write(text: string): void {
    if (this.#hidden > 0 || text === '') return;
    const lines = this.#pre > 0 ? text : text.replace(/[ \t\r\n]+/g, ' ');
    const words = this.#pre > 0 ? lines : lines.trimStart();
    const begins = lines !== words;
    if (words === '') {
      this.#space ||= begins;
      return;
    }
    if (this.#parts.length > 0 && this.#breaks > 0) this.#parts.push('\n'.repeat(this.#breaks));
    else if (this.#parts.length > 0 && (this.#space || begins)) this.#parts.push(' ');
    this.#breaks = 0;
    const trimmed = this.#pre > 0 ? words : words.trimEnd();
    this.#parts.push(trimmed);
    this.#space = trimmed !== words;
  }
}

function attributeOf(attributes: Attribute[], name: string): string {
  return attributes.find(attribute => attribute.name === name)?.value ?? '';
}

/** Whether mail programs hide the element, such as the preview line that lists show next to the subject. */
function isHidden(attributes: Attribute[]): boolean {
  return /display\s*:\s*none/i.test(attributeOf(attributes, 'style'));
}
