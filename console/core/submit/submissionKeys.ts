import { CallFailed, type Input } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';

/** How soon a deletion without an answer is sent again. */
const repeatMs = 400;

/**
 * The idempotency keys of one form or button. A submission without an answer may have arrived, so sending the same
 * values again repeats its key, and the server returns what the first one did. Other values, and the next submission
 * after an answer, get a new key.
 */
export function createSubmissionKeys() {
  const unanswered = new Map<string, string>();
  const remove = createRemoval();

  return async function submit<E extends Endpoint, T>(
    endpoint: E,
    input: Input<E>,
    send: (input: Input<E>) => Promise<T>,
  ): Promise<T> {
    const text = `${endpoint.name} ${JSON.stringify(input)}`;
    // What a deletion answers is only used where it deletes no more than a part of something.
    if (endpoint.method === 'DELETE') return remove(text, () => send(input)) as Promise<T>;
    if (endpoint.method !== 'POST' || endpoint.access === 'public') return send(input);
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

/**
 * A deletion needs no key, as repeating it does no harm: without an answer, it is sent once more. If it was made the
 * first time, nothing is there any more, which is what was asked for.
 */
function createRemoval() {
  const unanswered = new Set<string>();

  return async function remove<T>(text: string, send: () => Promise<T>): Promise<T | undefined> {
    const isFirst = !unanswered.has(text);
    try {
      const answer = await send();
      unanswered.delete(text);
      return answer;
    } catch (error) {
      if (isAnswer(error)) {
        unanswered.delete(text);
        if (error.status === 404 && !isFirst) return undefined;
      } else if (isFirst) {
        unanswered.add(text);
        await new Promise(resolve => setTimeout(resolve, repeatMs));
        return remove(text, send);
      }
      throw error;
    }
  };
}

/** A server that failed, or something in between that answers for it, does not say whether the change was made. */
export function isAnswer(error: unknown): error is CallFailed {
  return error instanceof CallFailed && error.status >= 400 && error.status < 500;
}
