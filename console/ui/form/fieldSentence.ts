import { reasons } from '#contract/problem.ts';

/** Sentences for the codes of single fields that the server returns with `INVALID_FIELDS`. */
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
 * The server's sentences by reason: they may say more than the reason's own, and the console has only the sentences of
 * the reasons that its code names.
 */
const given = new Map<string, string>();

/** Stores the server's sentence for a reason, for the field that it is about. */
export function setSentence({ reason, message }: { reason: string; message: string }): void {
  given.set(reason, message);
}

/** Faults found by the console use its own sentences, whatever the server said about the same reason before. */
export function forgetSentences(codes: readonly (string | undefined)[]): void {
  for (const code of codes) if (code) given.delete(code);
}

export function sentenceOf(code: string): string {
  const ours = code in reasons ? reasons[code as keyof typeof reasons][1] : fieldSentences[code];
  return given.get(code) ?? ours ?? 'Check this value.';
}
