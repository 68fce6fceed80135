import { CallFailed } from '#contract/client.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { fileAddress } from './fileAddress.ts';

/** PUTs a file to the URL that the server gave and reports progress (0 to 1), which `fetch` cannot. */
export function putFile(url: string, file: File, onPart: (part: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', fileAddress(url));
    request.upload.onprogress = ({ loaded, total }) => onPart(total === 0 ? 1 : loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : reject(failureOf(request)));
    request.onerror = () => reject(interrupted());
    request.send(file);
  });
}

/** The connection broke. */
export function interrupted(): CallFailed {
  const message = 'The upload was interrupted. Check your connection and try again.';
  return new CallFailed({ reason: 'CONNECTION_ERROR', message }, { status: 0 });
}

/** The server's error response. */
export function failureOf(request: XMLHttpRequest): CallFailed {
  const { status, responseText } = request;
  const wait = Number(request.getResponseHeader('retry-after')) || undefined;
  const more = { status, retryAfterS: wait };
  const sentence = 'This function is disabled temporarily.';
  try {
    const answer = JSON.parse(responseText) as Partial<ProblemAnswer>;
    return new CallFailed({ reason: 'DISABLED', message: sentence, ...answer }, more);
  } catch {
    return new CallFailed({ reason: 'DISABLED', message: sentence }, more);
  }
}
