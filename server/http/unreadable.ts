import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '#contract/problem.ts';

/**
 * Answers bytes that are no request, or too many of them for one, in the one envelope. There is no request yet to
 * answer through, so it is written by hand.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(answerTo(error.code));
  socket.destroy(error);
}

function answerTo(code: string | undefined): string {
  const problem = new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED');
  // Who is too slow is told with the status made for it, so that a proxy may try again.
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : problem.status;
  const body = JSON.stringify(problem.toAnswer());
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
