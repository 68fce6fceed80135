import { waitWords } from '#rules/waitWords.ts';

/** The part of a failed call that is shown to people. */
export interface Failure {
  reason: string;
  message: string;
  retryAfterS?: number | undefined;
}

/** The message for people: the header is for programs, so the time to wait is added in words. */
export function failureText({ reason, message, retryAfterS }: Failure): string {
  if (reason !== 'TOO_MANY_REQUESTS' || retryAfterS === undefined) return message;
  return `${message.split('.', 1)[0]}. Try again in ${waitWords(retryAfterS)}.`;
}
