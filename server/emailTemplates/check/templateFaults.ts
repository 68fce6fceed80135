import type { TemplateFault } from '#contract/emailTemplate.ts';

/** What can be wrong with a template. Console, reference and tests know each by its code. */
export type FaultCode =
  | 'EMPTY'
  | 'TOO_LONG'
  | 'LINE_BREAK'
  | 'CONTROL_CHARACTER'
  | 'UNCLOSED_BRACES'
  | 'STRAY_BRACES'
  | 'EMPTY_BRACES'
  | 'TOO_MANY_BRACES'
  | 'SYNTAX'
  | 'UNKNOWN_VARIABLE'
  | 'UNKNOWN_FILTER'
  | 'UNKNOWN_TAG'
  | 'UNEXPECTED_TAG'
  | 'UNCLOSED_BLOCK'
  | 'TOO_DEEP'
  | 'TOO_MANY_ELEMENTS'
  | 'MALFORMED_HTML'
  | 'BRACES_IN_STYLE'
  | 'UNCLOSED_ELEMENT'
  | 'UNOPENED_ELEMENT'
  | 'ELEMENT_REFUSED'
  | 'ATTRIBUTE_REFUSED'
  | 'LINK_REFUSED';

/** Where it begins in the text, and how many characters it spans. */
export interface Place {
  at: number;
  length: number;
}

interface Found extends Place {
  code: FaultCode;
  message: string;
}

/** A text made of nothing but faults would make an answer larger than itself. */
const faultsMax = 50;

/** Collects what is wrong with one field, in whatever order it is found. */
export class Faults {
  readonly #found: Found[] = [];
  #givenUp = false;

  add(code: FaultCode, { at, length }: Place, message: string): void {
    if (!this.isFull) this.#found.push({ code, message, at, length });
  }

  /** From here on there is no telling what is meant. */
  giveUp(): void {
    this.#givenUp = true;
  }

  /** True: looking further is of no use to anybody. */
  get isFull(): boolean {
    return this.#givenUp || this.#found.length >= faultsMax;
  }

  /** In the order of the text, with lines and columns. */
  inOrder(field: TemplateFault['field'], text: string): TemplateFault[] {
    const placed = this.#found.toSorted((a, b) => a.at - b.at);
    const lines = lineStarts(text);
    let line = 0;
    return placed.map(({ code, message, at, length }) => {
      while ((lines[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line += 1;
      return { field, code, message, line: line + 1, column: at - (lines[line] ?? 0) + 1, length };
    });
  }
}

/** Editors count `\r\n`, `\n` and a lone `\r` as one line break each; so do we, or places would drift apart. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)];
}
