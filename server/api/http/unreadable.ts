import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '#contract/problem.ts';

/**
 * Answers bytes that are not a valid HTTP request, or are too large, with the standard error shape. No request
 * object exists yet, so the response is written by hand.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(answerTo(error.code));
  socket.destroy(error);
}

function answerTo(code: string | undefined): string {
  const problem = new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED');
  // A slow client gets 408, so that a proxy can retry.
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
