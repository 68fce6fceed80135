import type { z } from 'zod';

/**
 * Describes an invalid field whose type has no sentence of its own: the messages of the schema library are for
 * programmers, but these are shown in a form.
 */
export function issueSentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? 'Enter a value.'
        : typeSentence(issue.expected);
    case 'too_small':
      return smallSentence(issue);
    case 'too_big':
      return bigSentence(issue);
    case 'invalid_format':
      return issue.format === 'email'
        ? 'This is not an e-mail address.'
        : 'This does not have the expected format.';
    case 'invalid_value':
      return `Choose one of these: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `There is no field with this name: ${issue.keys.join(', ')}.`;
    default:
      return issue.input === undefined ? 'Enter a value.' : 'This is not valid.';
  }
}

function typeSentence(expected: string): string {
  if (expected === 'int') return 'Enter a whole number.';
  if (expected === 'number') return 'Enter a number.';
  return `This must be of type ${expected}.`;
}

function smallSentence({ origin, minimum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string') return minimum === 1 ? 'Enter a value.' : `At least ${minimum} characters.`;
  if (origin === 'array') return minimum === 1 ? 'Add at least one.' : `Add at least ${minimum}.`;
  return `At least ${minimum}.`;
}

function bigSentence({ origin, maximum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `At most ${maximum} characters.`;
  return origin === 'array' ? `At most ${maximum} entries.` : `At most ${maximum}.`;
}
