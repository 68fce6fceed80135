import { TooManySteps } from '#server/classes/deviceClasses/schemas/schemaPatterns.ts';
import { faultInWords } from './faultWords.ts';
import { placeOfError } from './metered.ts';

const partMax = 80;
const messageMax = 280;

/** Tells what went wrong when a valid expression was evaluated, and in which part of it. */
export function failureInWords(error: unknown, program: string): string {
  const { from, to, message } = faultInWords(error, program);
  const node = placeOfError(error) ?? (isOfLibrary(error) ? error.node : undefined);
  const part = node ? program.slice(node.start, node.end) : program.slice(from, to);
  const what = isOfLibrary(error) ? (words[error.code] ?? message) : wordsOf(error);
  const isWhole = part.trim() === program.trim() || part.trim() === '' || what.includes(part);
  return isWhole ? cut(what, messageMax) : `${cut(what, messageMax - partMax)} In \`${cut(part, partMax)}\`.`;
}

/** By the code of the library's errors that only values can cause. */
const words: Readonly<Record<string, string>> = {
  division_by_zero: 'A whole number cannot be divided by zero.',
  modulo_by_zero: 'A whole number cannot be divided by zero.',
  numeric_overflow: 'The number is too large for a whole number.',
  bool_conversion_error: 'This text is neither "true" nor "false".',
  double_conversion_error: 'This text is not a number.',
  int_conversion_error: 'This text is not a whole number.',
  uint_conversion_error: 'This value is not a whole number from 0.',
  index_out_of_range: 'The position is outside of the value.',
  index_out_of_bounds: 'The list has no item at this position.',
  invalid_list_element_type: 'Only a list of texts can be joined.',
  invalid_timestamp: 'This is not a time such as `2026-11-27T08:00:00Z`.',
  invalid_duration: 'This is not a duration such as `5m`.',
  invalid_condition_type: 'A condition must be true or false, and this value is neither.',
  invalid_comprehension_range: 'Only a list or an object can be looped over.',
};

const isOfLibrary = (
  error: unknown,
): error is Error & { code: string; node?: { start: number; end: number } } =>
  error instanceof Error && 'summary' in error && 'code' in error;

function wordsOf(error: unknown): string {
  if (error instanceof TooManySteps) return 'It was stopped: the text is too long for this pattern.';
  const message = error instanceof Error ? error.message : String(error);
  if (/^Maximum call stack/.test(message)) return 'It was stopped: these values are nested too deeply.';
  if (/^Invalid time zone/.test(message))
    return 'There is no such time zone. Use one such as "Europe/Berlin".';
  if (error instanceof SyntaxError) return 'This is not valid JSON.';
  if (/overlaps with/.test(message)) return 'Values of these types cannot be combined.';
  return /\w/.test(message) ? `${message.replace(/\.$/, '')}.` : 'It could not be evaluated.';
}

const cut = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);
