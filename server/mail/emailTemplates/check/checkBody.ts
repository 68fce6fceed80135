import { type Attribute, type HtmlToken, htmlTokens } from '#server/mail/emailTemplates/htmlTokens.ts';
import {
  isAddress,
  isMailAddress,
  isMailAttribute,
  isMailElement,
  voidElements,
} from '#server/mail/emailTemplates/mailHtml.ts';
import { findMarkup, type Markup, withoutMarkup } from '#server/mail/emailTemplates/markup.ts';
import type { VariableName } from '#server/mail/emailTemplates/variables.ts';
import { type Checking, checkMarkup, checkStrayBraces, isLink } from './checkMarkup.ts';
import { Structure } from './structure.ts';
import type { Faults, Place } from './templateFaults.ts';

/** Checks the HTML of an e-mail, the braces in it, and how the two are nested. */
export function checkBody(text: string, variables: readonly VariableName[], faults: Faults): void {
  const markup = findMarkup(text, faults);
  const structure = new Structure(faults);
  const body = new Body({ text, variables, faults, structure }, markup);
  for (const token of htmlTokens(withoutMarkup(text, markup))) {
    if (faults.isFull) return;
    body.check(token);
  }
  structure.end();
}

class Body {
  readonly #checking: Checking;
  readonly #markup: readonly Markup[];
  /** The index of the next markup, because tokens and markup both come in the order of the text. */
  #next = 0;
  #elements = 0;

  constructor(checking: Checking, markup: readonly Markup[]) {
    this.#checking = checking;
    this.#markup = markup;
  }

  check(token: HtmlToken): void {
    const { text, faults, structure } = this.#checking;
    const place = placeOf(token);
    if (token.kind === 'text') {
      for (const one of this.#within(token)) checkMarkup(one, this.#checking);
      checkStrayBraces({ text, faults, markup: this.#markup }, token);
    } else if (token.kind === 'comment') {
      structure.within(() => this.check({ ...token, kind: 'text' }));
    } else if (token.kind === 'open') {
      this.#checkOpen(token, place);
    } else if (token.kind === 'close') {
      structure.closeElement(token.name, place);
    } else if (token.kind === 'fault') {
      faults.add(
        'MALFORMED_HTML',
        { at: token.from, length: token.failedAt - token.from + 1 },
        token.message,
      );
      // Otherwise its closing tag, which is correct, would be reported as well.
      if (token.name && !voidElements.has(token.name)) structure.openElement(token.name, place);
    } else {
      this.#refuse(token, 'Braces are not allowed here: styles are the same in every e-mail.');
    }
  }

  #checkOpen({ name, attributes }: HtmlToken & { kind: 'open' }, place: Place): void {
    const { faults, structure } = this.#checking;
    this.#elements += 1 + attributes.length;
    if (this.#elements > elementsMax) {
      const said = `An e-mail can have at most ${elementsMax.toLocaleString('en')} elements and attributes.`;
      faults.add('TOO_MANY_ELEMENTS', place, said);
      faults.giveUp();
    }
    if (!isMailElement(name)) {
      const tag = { at: place.at, length: name.length + 1 };
      faults.add('ELEMENT_REFUSED', tag, `<${name}> cannot be used: e-mail clients remove it.`);
    }
    for (const attribute of attributes) this.#checkAttribute(attribute);
    if (!voidElements.has(name)) structure.openElement(name, place);
  }

  #checkAttribute(attribute: Attribute): void {
    const { name, at, from, to } = attribute;
    const { faults, structure } = this.#checking;
    if (!isMailAttribute(attribute)) {
      const said = `The attribute ${name} cannot be used: e-mail clients remove it.`;
      faults.add('ATTRIBUTE_REFUSED', { at, length: name.length }, said);
    } else if (isAddress(attribute) && !this.#isLinkAt(from) && !isMailAddress(attribute)) {
      faults.add('LINK_REFUSED', { at: from, length: Math.max(1, to - from) }, addressNeeded);
    }
    if (name === 'style') this.#refuse(attribute, 'Braces are not allowed in a style.');
    structure.within(() => {
      for (const one of this.#within(attribute)) checkMarkup(one, this.#checking);
    });
  }

  #isLinkAt(at: number): boolean {
    const begins = this.#markup[this.#next];
    return begins?.from === at && isLink(this.#checking.text, begins);
  }

  #refuse(place: { from: number; to: number }, message: string): void {
    for (const { from, to } of this.#within(place)) {
      this.#checking.faults.add('BRACES_IN_STYLE', { at: from, length: to - from }, message);
    }
  }

  *#within({ to }: { to: number }): Generator<Markup> {
    for (let one = this.#markup[this.#next]; one && one.from < to; one = this.#markup[this.#next]) {
      this.#next += 1;
      yield one;
    }
  }
}

/** Parsing elements is the main cost of the check; the longest default has sixty. */
const elementsMax = 5000;
const addressNeeded =
  'A link must start with https://, mailto: or tel: and a fixed host, or be a variable such as {{ link.url }}.';

function placeOf({ from, to }: HtmlToken): Place {
  return { at: from, length: to - from };
}
