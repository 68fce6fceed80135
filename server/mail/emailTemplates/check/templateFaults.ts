import type { TemplateFault } from '#contract/emailTemplate.ts';

/** The kinds of errors in a template. Console, reference and tests refer to them by these codes. */
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

/** Where an error begins in the text, and how many characters it spans. */
export interface Place {
  at: number;
  length: number;
}

interface Found extends Place {
  code: FaultCode;
  message: string;
}

/** Without a limit, the answer to a text full of errors would be larger than the text. */
const faultsMax = 50;

/** Collects the errors of one field, in any order. */
export class Faults {
  readonly #found: Found[] = [];
  #givenUp = false;

  add(code: FaultCode, { at, length }: Place, message: string): void {
    if (!this.isFull) this.#found.push({ code, message, at, length });
  }

  /** Stops the search for errors, because the rest cannot be interpreted. */
  giveUp(): void {
    this.#givenUp = true;
  }

  /** Whether further errors would be of no use. */
  get isFull(): boolean {
    return this.#givenUp || this.#found.length >= faultsMax;
  }

  /** The errors in the order of the text, with lines and columns. */
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

/** Counts `\r\n`, `\n` and a lone `\r` as one line break each, as editors do, so that positions match. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)];
}
