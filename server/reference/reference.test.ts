import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/all.ts';
import { reasons } from '#contract/problem.ts';
import { pageFiles } from '#server/http/pageFiles.ts';
import { reference } from './reference.ts';

let app: FastifyInstance;
let page: string;

beforeAll(async () => {
  app = fastify();
  await pageFiles(app);
  await reference(app, { publicUrl: () => 'https://iot.example' });
  page = (await app.inject('/docs')).body;
});
afterAll(() => app.close());

test('every call is in the reference, with a command that can be typed', () => {
  for (const { name, method, summary } of endpoints) {
    const section = page.split(`id="${name}"`)[1]?.split('</article>')[0]?.replaceAll('<wbr>', '') ?? '';
    for (const part of summary.split('`')) expect(section, name).toContain(part.replaceAll("'", '&#39;'));
    expect(section, name).toContain('https://iot.example/api/');
    if (method !== 'GET') expect(section, name).toContain('X-Console-Guard: 1');
  }
});

test('every reason has a place that can be linked to', () => {
  for (const reason of Object.keys(reasons)) expect(page).toContain(`id="reason-${reason}"`);
});

test('every link within the page leads somewhere', () => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids, target).toContain(target);
  expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
});

test('the page needs no script and no other site', async () => {
  expect(page).not.toContain('<script');
  expect(page).not.toMatch(/ style="/);
  for (const [, href = ''] of page.matchAll(/<link [^>]*href="([^"]+)"/g)) {
    expect((await app.inject(href)).statusCode, href).toBe(200);
  }
  const { headers } = await app.inject('/docs');
  expect(headers['content-security-policy']).not.toContain('unsafe');
});

test.each(['/docs', '/api/openapi.json', '/page/page.css', '/page/inter.woff2'])(
  '%s is not sent again to who has it',
  async url => {
    const first = await app.inject(url);
    expect(first.statusCode).toBe(200);
    const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  },
);

test('programs find the OpenAPI document', async () => {
  const { openapi, paths, info } = (await app.inject('/api/openapi.json')).json();
  expect(openapi).toBe('3.1.0');
  expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(paths).toHaveProperty(['/projects/{projectId}', 'get', 'operationId'], 'readProject');
});
