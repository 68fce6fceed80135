import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { mark } from './mark.ts';

const compress = promisify(brotliCompress);
const { resolve } = createRequire(import.meta.url);
const font = (path: string) => resolve(`@fontsource-variable/${path}`);

/** The shared files of pages rendered on the server: styles, fonts and the logo. */
export async function pageFiles(app: FastifyInstance): Promise<void> {
  serveFile(app, '/page/tokens.css', new URL('../../../console/ui/tokens.css', import.meta.url));
  serveFile(app, '/page/page.css', new URL('page.css', import.meta.url));
  serveFile(app, '/page/inter.woff2', font('inter/files/inter-latin-wght-normal.woff2'));
  serveFile(app, '/page/mono.woff2', font('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'));
  serveOnce(app, '/page/mark.svg', 'image/svg+xml', async () =>
    mark(24).text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" color="#3b7fe0" '),
  );
}

const types: Record<string, string> = { css: 'text/css; charset=utf-8', woff2: 'font/woff2' };

export function serveFile(app: FastifyInstance, url: string, file: URL | string): void {
  const type = types[url.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  serveOnce(app, url, type, () => readFile(file));
}

/** Serves content that is built on the first request; a browser that has it already gets 304. */
export function serveOnce(
  app: FastifyInstance,
  url: string,
  type: string,
  make: () => Promise<string | Buffer>,
  headers: Record<string, string> = {},
): void {
  let made: Promise<Made> | undefined;
  app.get(url, async (request, reply) => {
    made ??= make().then(asMade);
    const { plain, brotli, etag } = await made;
    reply.headers({ ...headers, etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type(type);
    const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
    return takesBrotli ? reply.header('content-encoding', 'br').send(brotli) : reply.send(plain);
  });
}

interface Made {
  plain: Buffer;
  brotli: Buffer;
  etag: string;
}

async function asMade(body: string | Buffer): Promise<Made> {
  const plain = Buffer.from(body);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  // Weak, because the compressed form is the same page in different bytes.
  return { plain, brotli: await compress(plain), etag: `W/"${hash}"` };
}
