import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';

/** Longer than any URL we generate, and short enough for common proxies. */
const urlMax = 8192;

/**
 * Rejects URLs that are too long, and ids that PostgreSQL cannot store, before any door looks them up: the path names
 * an app or project before the inputs of the call are parsed.
 */
export function refuseUnfitAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url, params }, _reply, done) => {
    if (url.length > urlMax) throw new Problem('URI_TOO_LONG');
    // A wildcard is the rest of a URL, which its door parses itself.
    for (const [name, text] of Object.entries((params ?? {}) as Record<string, string>))
      if (name !== '*' && text.includes('\0')) throw new Problem('RESOURCE_NOT_FOUND');
    done();
  });
}
