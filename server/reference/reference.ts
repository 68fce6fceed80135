import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { openApi } from '#contract/openapi.ts';
import { scriptlessPolicy } from '#server/http/page.ts';
import { serveFile, serveOnce } from '#server/http/pageFiles.ts';
import { referencePage } from './page.ts';

/** The API's description, for people at /docs and for programs at /api/openapi.json; both made from the contract. */
export async function reference(
  app: FastifyInstance,
  { publicUrl }: { publicUrl: () => string },
): Promise<void> {
  const html = 'text/html; charset=utf-8';
  const page = async () => referencePage({ baseUrl: `${publicUrl()}/api` });
  serveOnce(app, '/docs', html, page, { 'content-security-policy': scriptlessPolicy });
  serveFile(app, '/docs/reference.css', new URL('reference.css', import.meta.url));
  serveOnce(app, '/api/openapi.json', 'application/json', async () =>
    JSON.stringify(openApi({ version: await readVersion() })),
  );
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
