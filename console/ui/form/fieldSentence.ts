import { reasons } from '#contract/problem.ts';

/** Codes that say what is wrong with one field, as the server gives them beside `INVALID_FIELDS`. */
const fieldSentences: Record<string, string> = {
  REQUIRED: 'Enter a value.',
  TOO_SHORT: 'This is too short.',
  TOO_LONG: 'This is too long.',
  INVALID: 'This is not valid.',
  INVALID_EMAIL: 'This is not an e-mail address.',
  INVALID_FORMAT: 'This does not have the expected format.',
  OUT_OF_RANGE: 'Enter a whole number in the allowed range.',
  INVALID_JSON: 'This is not valid JSON.',
  INEXACT_NUMBER: 'A number in this would lose precision. Write it as a string.',
  INVALID_OBJECT: 'This must be a JSON object: { … }',
  PASSWORDS_DIFFER: 'The passwords do not match.',
  UNKNOWN_FIELD: 'This field does not exist.',
};

/** Of reasons that the server gave: the console itself has only the sentences of those that its code names. */
const given = new Map<string, string>();

/** Notes how the server words a reason, for the field that it is about. */
export function noteSentence({ reason, message }: { reason: string; message: string }): void {
  given.set(reason, message);
}

export function sentenceOf(code: string): string {
  if (code in reasons) return reasons[code as keyof typeof reasons][1];
  return given.get(code) ?? fieldSentences[code] ?? 'Check this value.';
}
