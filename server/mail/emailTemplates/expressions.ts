import { emailFilters } from '#contract/emailTemplate.ts';
import { nearest } from './check/nearest.ts';
import type { FaultCode, Faults } from './check/templateFaults.ts';
import { filters } from './liquidFilters.ts';

/**
 * Checks the expression between braces more strictly than the engine parses it: the engine accepts `a ==`, and turns
 * `\n` in a string into a line break. An expression that passes here means the same to both, and can neither fail nor
 * produce unbounded output.
 */
export class Expression {
  readonly #text: string;
  readonly #to: number;
  readonly #faults: Faults;
  readonly #variables: readonly string[];
  #at: number;
  #token: Token;

  constructor(
    text: string,
    place: { from: number; to: number },
    known: { variables: readonly string[]; faults: Faults },
  ) {
    this.#text = text;
    this.#at = place.from;
    this.#to = place.to;
    this.#faults = known.faults;
    this.#variables = known.variables;
    this.#token = this.#read();
  }

  /** `user.name | default: "friend"` */
  checkOutput(): void {
    this.#done(this.#value() && this.#filters());
  }

  /** `user.name == "Ada" and home.name` */
  checkCondition(): void {
    this.#done(this.#comparison() && this.#moreComparisons());
  }

  /** Expects nothing, as after `else` and at the ends of blocks. */
  checkEmpty(): void {
    this.#done(true);
  }

  #filters(): boolean {
    for (let count = 1; this.#isNext('|'); count += 1) {
      if (count > filtersMax) return this.#fault('SYNTAX', `At most ${filtersMax} filters can be chained.`);
      this.#next();
      if (!this.#filter()) return false;
    }
    return true;
  }

  #filter(): boolean {
    const { text, kind } = this.#token;
    if (kind !== 'word') return this.#fault('SYNTAX', 'A filter name is missing.');
    const filter = filters[text];
    if (!filter) {
      const known = Object.keys(filters);
      return this.#fault('UNKNOWN_FILTER', `The filter ${text} does not exist.${hint(text, known)}`);
    }
    this.#next();
    const example = emailFilters[text as keyof typeof emailFilters];
    for (const [i, { kind, optional }] of filter.takes.entries()) {
      const begins = i === 0 ? ':' : ',';
      if (!this.#isNext(begins)) {
        if (optional) return true;
        return this.#fault('SYNTAX', `The filter ${text} needs a ${kind} here: ${example}`);
      }
      this.#next();
      if (!this.#argument(kind, example)) return false;
    }
    return true;
  }

  #argument(kind: 'number' | 'text', example: string): boolean {
    if (kind === 'text') return this.#value();
    if (this.#token.kind !== 'number') return this.#fault('SYNTAX', `This must be a number: ${example}`);
    return this.#next();
  }

  #comparison(): boolean {
    if (!this.#value()) return false;
    if (!comparing.has(this.#token.text)) return true;
    this.#next();
    return this.#value();
  }

  #moreComparisons(): boolean {
    while (this.#isNext('and') || this.#isNext('or')) {
      this.#next();
      if (!this.#comparison()) return false;
    }
    return true;
  }

  #value(): boolean {
    const { kind, text } = this.#token;
    if (kind === 'string') return this.#next();
    if (kind === 'end') return this.#fault('SYNTAX', 'A variable or a "text" is missing here.');
    if (kind !== 'word' || comparing.has(text) || text === 'and' || text === 'or')
      return this.#fault('SYNTAX', 'This must be a variable or a "text".');
    if (!constants.has(text) && !this.#variables.includes(text)) {
      const said = `The variable ${text} does not exist in this e-mail.${hint(text, this.#variables)}`;
      return this.#fault('UNKNOWN_VARIABLE', said);
    }
    return this.#next();
  }

  #done(ok: boolean): void {
    if (ok && this.#token.kind !== 'end') this.#fault('SYNTAX', 'This is not allowed here.');
  }

  #isNext(text: string): boolean {
    return this.#token.kind !== 'string' && this.#token.text === text;
  }

  #fault(code: FaultCode, message: string): false {
    const { from, text } = this.#token;
    this.#faults.add(code, { at: from, length: Math.max(1, text.length) }, message);
    return false;
  }

  #next(): true {
    this.#token = this.#read();
    return true;
  }

  #read(): Token {
    while (this.#at < this.#to && blanks.has(this.#text[this.#at] ?? '')) this.#at += 1;
    const from = this.#at;
    if (from >= this.#to) return { kind: 'end', text: '', from };
    for (const [kind, shape] of shapes) {
      shape.lastIndex = from;
      const text = shape.exec(this.#text)?.[0];
      if (text === undefined || from + text.length > this.#to) continue;
      this.#at = from + text.length;
      return { kind, text, from };
    }
    this.#at = this.#to;
    return { kind: 'unknown', text: [...this.#text.slice(from, from + 2)][0] ?? '', from };
  }
}

interface Token {
  kind: 'word' | 'string' | 'number' | 'sign' | 'unknown' | 'end';
  text: string;
  from: number;
}

const filtersMax = 2;
const blanks = new Set([' ', '\t', '\n', '\r']);
const comparing = new Set(['==', '!=', 'contains']);
const constants = new Set(['blank', 'true', 'false']);
const shapes: readonly (readonly [Token['kind'], RegExp])[] = [
  ['string', /"[^"\\\r\n]*"|'[^'\\\r\n]*'/y],
  ['number', /\d{1,4}(?![\w.])/y],
  ['word', /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y],
  ['sign', /==|!=|[|:,]/y],
];

function hint(text: string, known: readonly string[]): string {
  const like = nearest(text, known);
  return like === undefined ? '' : ` Did you mean ${like}?`;
}
