import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '#contract/gateway.ts';
import { scriptlessPolicy } from '#server/api/pages/page.ts';
import { serveFile, serveOnce } from '#server/api/pages/pageFiles.ts';
import type { Api } from './apis/api.ts';
import { stylesheets } from './referencePage.ts';

/**
 * The references for people at /docs, /docs/app and /docs/service, their OpenAPI documents for programs, and the device
 * protocol at /docs/devices, all generated from the contract. The generators are loaded on the first request, which on
 * most days never comes.
 */
export async function reference(
  app: FastifyInstance,
  { publicUrl, gateway }: { publicUrl: () => string; gateway: () => Gateway },
): Promise<void> {
  const html = 'text/html; charset=utf-8';
  for (const { page, document, load } of apis) {
    const makePage = async () => {
      const { referencePage } = await import('./referencePage.ts');
      return referencePage(await load(), publicUrl());
    };
    serveOnce(app, page, html, makePage, { 'content-security-policy': scriptlessPolicy });
    serveOnce(app, document, 'application/json', async () => {
      const { openApi } = await import('./openApi/document.ts');
      return JSON.stringify(openApi(await load(), { version: await readVersion() }));
    });
  }
  const devices = async () => {
    const { devicePage } = await import('./devicePage.ts');
    return devicePage(gateway());
  };
  serveOnce(app, '/docs/devices', html, devices, { 'content-security-policy': scriptlessPolicy });
  for (const path of stylesheets) serveFile(app, path, new URL(basename(path), import.meta.url));
}

/** The addresses of each reference; the rest is loaded later. */
const apis: readonly { page: string; document: string; load: () => Promise<Api> }[] = [
  {
    page: '/docs',
    document: '/api/openapi.json',
    load: async () => (await import('./apis/ofDevelopers.ts')).developerApi,
  },
  {
    page: '/docs/app',
    document: '/docs/app/openapi.json',
    load: async () => (await import('./apis/ofApps.ts')).endUserApi,
  },
  {
    page: '/docs/service',
    document: '/docs/service/openapi.json',
    load: async () => (await import('./apis/ofBackEnds.ts')).backEndApi,
  },
];

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
