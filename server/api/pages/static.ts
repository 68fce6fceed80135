import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { pagePolicy } from '#server/api/http/headers.ts';

/** Paths that are never pages of the console. */
const notPages =
  /^\/(api|device|app|service|files|docs|outbox|mqtt|healthz|readyz|metrics|assets|simulators|sdk|u)(\/|$)/;

/**
 * Serves the built console and simulators: hashed files are cached forever, pages are revalidated each time. Pages are
 * read again after a build, because it removes the files that the old pages refer to.
 */
export async function consoleFiles(app: FastifyInstance, dir: string): Promise<void> {
  // The console uses WebAssembly to compute the checksum of a file during its upload.
  const console = readPage(dir, 'index.html', { wasm: true });
  if (!console) return;
  await folder(app, dir, { name: 'assets', cached: 'public, max-age=31536000, immutable' });
  await folder(app, dir, { name: 'sdk', cached: 'no-cache' });
  simulatorPages(app, dir);
  app.get('/*', async (request, reply) => {
    if (notPages.test(request.url.split('?')[0] ?? '')) throw new Problem('RESOURCE_NOT_FOUND');
    return sendPage(request, reply, console());
  });
}

/** A single route, because a route for each of a thousand files would take longer to set up than all others. */
async function folder(
  app: FastifyInstance,
  dir: string,
  { name, cached }: { name: string; cached: string },
): Promise<void> {
  const root = join(dir, name);
  if (!existsSync(root)) return;
  await app.register(staticFiles, {
    root,
    prefix: `/${name}/`,
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: response => {
      response.header('cache-control', cached);
    },
  });
}

/** The device simulator also speaks MQTT; the app simulator shows it in a frame, which no other origin may. */
function simulatorPages(app: FastifyInstance, dir: string): void {
  const devicesim = readPage(dir, 'simulators/devicesim.html', { framed: true });
  if (devicesim) {
    app.get('/devicesim', async (request, reply) =>
      sendPage(request, reply, devicesim(), speaksMqtt(request.host)),
    );
  }
  const appsim = readPage(dir, 'simulators/appsim.html');
  if (appsim) {
    for (const path of ['/appsim', '/appsim/:projectId/:appId'])
      app.get(path, async (request, reply) => sendPage(request, reply, appsim()));
  }
}

interface Page {
  html: string;
  small: Buffer;
  policy: string;
}

/** The page from the last build; during a build, its previous version. */
function readPage(
  dir: string,
  name: string,
  allowed?: { wasm?: boolean; framed?: boolean },
): (() => Page) | undefined {
  const path = join(dir, name);
  const builtAt = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  let readAt = builtAt();
  if (readAt === undefined) return undefined;
  // The build has already compressed it, so that the start is faster.
  let page = read(existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined);
  return () => {
    const now = builtAt();
    // Not the compressed file, which may be incomplete.
    if (now !== undefined && now !== readAt) [page, readAt] = [read(), now];
    return page;
  };

  function read(compressed?: Buffer): Page {
    const html = readFileSync(path, 'utf8');
    return { html, small: compressed ?? brotliCompressSync(html), policy: pagePolicy(html, allowed) };
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { html, small, policy }: Page, more = '') {
  reply.headers({
    'content-security-policy': more ? `${policy}; ${more}` : policy,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
  reply.type('text/html; charset=utf-8');
  const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return takesBrotli ? reply.header('content-encoding', 'br').send(small) : reply.send(html);
}

/** Not every browser accepts 'self' for a WebSocket of the same host. */
function speaksMqtt(host: string): string {
  const named = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return `connect-src 'self'${named}`;
}
