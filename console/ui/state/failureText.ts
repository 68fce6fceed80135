import { waitWords } from '#rules/waitWords.ts';

/** As much of a failed call as people are told. */
export interface Failure {
  reason: string;
  message: string;
  retryAfterS?: number | undefined;
}

/** What people are told: a header is for programs, so how long to wait is said in words. */
export function failureText({ reason, message, retryAfterS }: Failure): string {
  if (reason !== 'TOO_MANY_REQUESTS' || retryAfterS === undefined) return message;
  return `${message.split('.', 1)[0]}. Try again in ${waitWords(retryAfterS)}.`;
}
