import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isSecure } from '#server/api/sessions/session.ts';
import type { Platform } from '#server/infra/platform.ts';

/**
 * Security headers of every response. Pages set their own content security policy; everything else gets the
 * strictest.
 */
export function safeHeaders(app: FastifyInstance, platform: Platform): void {
  // Hooks of every call use a callback: creating a promise for each would cost more than most hooks do.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    if (isSecure(platform)) reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });
}

/**
 * The content security policy of our pages: same origin only, with inline scripts and styles by hash. WebAssembly only
 * for pages that need it: it is code as well, but cannot be injected by markup. `framed`: another page of ours may show
 * this page in a frame.
 */
export function pagePolicy(html: string, { wasm = false, framed = false } = {}): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code]) => hashOf(code ?? ''));
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, code]) => hashOf(code ?? ''));
  return [
    "default-src 'self'",
    ["script-src 'self'", ...(wasm ? ["'wasm-unsafe-eval'"] : []), ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ');
}

function hashOf(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}
