import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '#contract/gateway.ts';
import { scriptlessPolicy } from '#server/pages/page.ts';
import { serveFile, serveOnce } from '#server/pages/pageFiles.ts';
import { stylesheets } from './referencePage.ts';

/**
 * The API's description, for people at /docs and for programs at /api/openapi.json, and that of the device protocol at
 * /docs/devices; all made from the contract.
 * What makes them is loaded when they are first asked for, which on most days is never.
 */
export async function reference(
  app: FastifyInstance,
  { publicUrl, doors }: { publicUrl: () => string; doors: () => Gateway },
): Promise<void> {
  const html = 'text/html; charset=utf-8';
  const page = async () => {
    const { referencePage } = await import('./referencePage.ts');
    return referencePage({ baseUrl: `${publicUrl()}/api` });
  };
  serveOnce(app, '/docs', html, page, { 'content-security-policy': scriptlessPolicy });
  const devices = async () => {
    const { devicePage } = await import('./devicePage.ts');
    return devicePage(doors());
  };
  serveOnce(app, '/docs/devices', html, devices, { 'content-security-policy': scriptlessPolicy });
  for (const path of stylesheets) serveFile(app, path, new URL(basename(path), import.meta.url));
  serveOnce(app, '/api/openapi.json', 'application/json', async () => {
    const { openApi } = await import('#server/reference/openapi.ts');
    return JSON.stringify(openApi({ version: await readVersion() }));
  });
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
