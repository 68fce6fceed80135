import { RE2JS } from 're2js';

const patternLengthMax = 500;
/** Instructions of its program: the time for a character grows with it. */
const programMax = 300;

/** Steps that comparing with patterns may take in one check: about 50 ms. */
const stepsMax = 5_000_000;
let stepsLeft = stepsMax;

/** Programs remember the states they came through; after so many steps they all forget them, which bounds the memory. */
const stepsRemembered = 4_000_000;
let stepsSince = 0;
const remembering = new Set<LinearPattern>();

/** There is more to compare with patterns than there is time for. */
export class TooManySteps extends Error {}

/** To be said before each check. */
export function beginPatterns(): void {
  stepsLeft = stepsMax;
}

/** A regular expression whose time grows with its text and never faster; in place of the language's own. */
class LinearPattern {
  readonly #pattern: string;
  readonly #size: number;
  #program: RE2JS | undefined;

  constructor(pattern: string) {
    if (pattern.length > patternLengthMax)
      throw new Error(`A pattern can have at most ${patternLengthMax} characters.`);
    this.#pattern = pattern;
    this.#size = compile(pattern).programSize();
    if (this.#size > programMax)
      throw new Error('This pattern has too many repetitions. Use maxLength to limit a length.');
  }

  test(text: string): boolean {
    const steps = text.length * this.#size;
    stepsLeft -= steps;
    if (stepsLeft < 0) throw new TooManySteps();
    stepsSince += steps;
    if (stepsSince > stepsRemembered) forgetAll();
    this.#program ??= compile(this.#pattern);
    remembering.add(this);
    return this.#program.test(text);
  }

  forget(): void {
    this.#program = undefined;
  }

  /** By this the compiler of schemas tells patterns apart. */
  toString(): string {
    return this.#pattern;
  }
}

/** What the compiler of schemas takes in place of `new RegExp`. */
export const linearPattern = Object.assign((pattern: string) => new LinearPattern(pattern), {
  code: 'linearPattern',
});

function forgetAll(): void {
  for (const one of remembering) one.forget();
  remembering.clear();
  stepsSince = 0;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    throw new Error(`This pattern is not supported: ${why}. Look-around and back references cannot be used.`);
  }
}
