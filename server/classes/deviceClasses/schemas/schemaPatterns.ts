import { RE2JS } from 're2js';
import { ecmaPattern } from './ecmaPattern.ts';

const patternLengthMax = 500;
/** Limits the size of the compiled pattern, because the time per character grows with it. */
const programMax = 300;

/** The step budget for pattern matching in one validation: about 50 ms. */
const stepsMax = 5_000_000;
let stepsLeft = stepsMax;

/** Compiled patterns cache the states they visit; clearing the caches after this many steps limits memory. */
const stepsRemembered = 4_000_000;
let stepsSince = 0;
const remembering = new Set<LinearPattern>();

/** The budget for pattern matching is used up. */
export class TooManySteps extends Error {}

/** Call before each validation to reset the budget. */
export function beginPatterns(): void {
  stepsLeft = stepsMax;
}

/** A regular expression that matches in linear time (RE2), instead of the backtracking one of JavaScript. */
class LinearPattern {
  readonly #pattern: string;
  /** In the syntax of RE2. */
  readonly #source: string;
  readonly #size: number;
  #program: RE2JS | undefined;

  constructor(pattern: string, rewrite: (pattern: string) => string) {
    if (pattern.length > patternLengthMax)
      throw new Error(`A pattern can have at most ${patternLengthMax} characters.`);
    this.#pattern = pattern;
    this.#source = asSupported(() => rewrite(pattern));
    this.#size = compile(this.#source).programSize();
    if (this.#size > programMax)
      throw new Error('This pattern has too many repetitions. Use maxLength to limit a length.');
  }

  test(text: string): boolean {
    const steps = text.length * this.#size;
    stepsLeft -= steps;
    if (stepsLeft < 0) throw new TooManySteps();
    stepsSince += steps;
    if (stepsSince > stepsRemembered) forgetAll();
    this.#program ??= compile(this.#source);
    remembering.add(this);
    return this.#program.test(text);
  }

  forget(): void {
    this.#program = undefined;
  }

  /** The schema compiler identifies patterns by this. */
  toString(): string {
    return this.#pattern;
  }
}

/** A pattern of an expression: the language of rules has the patterns of RE2. */
export const linearPattern = (pattern: string) => new LinearPattern(pattern, RE2JS.translateRegExp);

/** A pattern of a schema: those of JavaScript. Passed to the schema compiler in place of `new RegExp`. */
export const schemaPattern = Object.assign(
  (pattern: string) => new LinearPattern(pattern, given => RE2JS.translateRegExp(ecmaPattern(given))),
  { code: 'schemaPattern' },
);

function forgetAll(): void {
  for (const one of remembering) one.forget();
  remembering.clear();
  stepsSince = 0;
}

function compile(source: string): RE2JS {
  return asSupported(() => RE2JS.compile(source));
}

function asSupported<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    throw new Error(`This pattern is not supported: ${why}. Look-around and back references cannot be used.`);
  }
}
