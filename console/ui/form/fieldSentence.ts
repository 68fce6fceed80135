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
  SAME_TIMES: 'Enter two different times of day.',
  PASSWORDS_DIFFER: 'The passwords do not match.',
  UNKNOWN_FIELD: 'This field does not exist.',
};

/**
 * Of reasons that the server gave: it may say more than the reason does, and the console itself has only the sentences of
 * those that its code names.
 */
const given = new Map<string, string>();

/** Notes how the server words a reason, for the field that it is about. */
export function noteSentence({ reason, message }: { reason: string; message: string }): void {
  given.set(reason, message);
}

/** What the console finds itself is said in its own words, whatever the server said of the same reason before. */
export function forgetSentences(codes: readonly (string | undefined)[]): void {
  for (const code of codes) if (code) given.delete(code);
}

export function sentenceOf(code: string): string {
  const ours = code in reasons ? reasons[code as keyof typeof reasons][1] : fieldSentences[code];
  return given.get(code) ?? ours ?? 'Check this value.';
}
