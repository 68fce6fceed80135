import type { FastifyRequest } from 'fastify';

const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/**
 * Whether the caller is on this machine. The address alone is not enough: behind a local proxy every request
 * comes from loopback, and a foreign page can resolve its host name to loopback (DNS rebinding).
 */
export function isLoopback(request: FastifyRequest): boolean {
  const { headers, socket } = request.raw;
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return loopbackAddress.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '');
}
