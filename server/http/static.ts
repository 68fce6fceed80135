import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { pagePolicy } from './headers.ts';

/** Paths that are never a page of the console. */
const notPages = /^\/(api|device|app|service|files|docs|outbox|mqtt|healthz|readyz|metrics|assets)(\/|$)/;

/** The built console: hashed files are kept for ever, the page itself is asked for anew each time. */
export async function consoleFiles(app: FastifyInstance, dir: string): Promise<void> {
  const pagePath = join(dir, 'index.html');
  const page = existsSync(pagePath) ? readFileSync(pagePath, 'utf8') : undefined;
  if (page === undefined) return;
  const policy = pagePolicy(page);
  const small = brotliCompressSync(page);
  await app.register(staticFiles, {
    root: dir,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', async (request, reply) => {
    if (notPages.test(request.url.split('?')[0] ?? '')) throw new Problem('RESOURCE_NOT_FOUND');
    reply.headers({
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    });
    reply.type('text/html; charset=utf-8');
    const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
    return takesBrotli ? reply.header('content-encoding', 'br').send(small) : reply.send(page);
  });
}
