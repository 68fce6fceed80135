import { CallFailed, type Input } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';

/**
 * The idempotency keys of one form or button. A submission without an answer may have arrived, so sending the same
 * values again repeats its key, and the server returns what the first one did. Other values, and the next submission
 * after an answer, get a new key.
 */
export function createSubmissionKeys() {
  const unanswered = new Map<string, string>();

  return async function submit<E extends Endpoint, T>(
    endpoint: E,
    input: Input<E>,
    send: (input: Input<E>) => Promise<T>,
  ): Promise<T> {
    if (endpoint.method !== 'POST' || endpoint.access === 'public') return send(input);
    const text = JSON.stringify(input);
    // `randomUUID` is missing where the console is opened without TLS.
    const idempotencyKey = unanswered.get(text) ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
    unanswered.set(text, idempotencyKey);
    try {
      const answer = await send({ ...input, idempotencyKey });
      unanswered.delete(text);
      return answer;
    } catch (error) {
      if (isAnswer(error)) unanswered.delete(text);
      throw error;
    }
  };
}

/** A server that failed, or something in between that answers for it, does not say whether the change was made. */
function isAnswer(error: unknown): boolean {
  return error instanceof CallFailed && error.status >= 400 && error.status < 500;
}
