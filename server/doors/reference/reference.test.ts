import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejectReasons, type Topic, topics } from '#contract/deviceProtocol.ts';
import { reasons } from '#contract/problem.ts';
import { escapeHtml } from '#server/api/pages/html.ts';
import { pageFiles } from '#server/api/pages/pageFiles.ts';
import { type Api, callsIn } from './apis/api.ts';
import { endUserApi } from './apis/ofApps.ts';
import { backEndApi } from './apis/ofBackEnds.ts';
import { developerApi } from './apis/ofDevelopers.ts';
import { reference } from './reference.ts';

let app: FastifyInstance;
let page: string;
let ofApps: string;
let ofKeys: string;
let devices: string;

beforeAll(async () => {
  app = fastify();
  await pageFiles(app);
  await reference(app, {
    publicUrl: () => 'https://iot.example',
    gateway: () => ({
      mqtt: { host: 'iot.example', port: 1883, tls: false },
      websocketUrl: 'wss://iot.example/mqtt',
      httpUrl: 'https://iot.example/device/v1',
    }),
  });
  page = (await app.inject('/docs')).body;
  ofApps = (await app.inject('/docs/app')).body;
  ofKeys = (await app.inject('/docs/service')).body;
  devices = (await app.inject('/docs/devices')).body;
});
afterAll(() => app.close());

const pages: [string, Api, () => string][] = [
  ['developer', developerApi, () => page],
  ['app', endUserApi, () => ofApps],
  ['service', backEndApi, () => ofKeys],
];

test.each(pages)('every call is in the %s reference, with a command to copy', (_, api, text) => {
  for (const endpoint of callsIn(api)) {
    const { name, summary } = endpoint;
    const section = text().split(`id="${name}"`)[1]?.split('</article>')[0]?.replaceAll('<wbr>', '') ?? '';
    for (const part of summary.split('`')) expect(section, name).toContain(escapeHtml(part));
    expect(section, name).toContain(`https://iot.example${api.prefix.typed}/`);
    for (const option of api.credentialsOf(endpoint)) expect(section, name).toContain(escapeHtml(option));
  }
});

test('the references name the capability of each call that keys may make', () => {
  const section = (text: string) => text.split('id="sendCommand"')[1]?.split('</article>')[0];
  for (const text of [page, ofKeys]) expect(section(text)).toContain('<code>canSendCommands</code>');
  expect(ofKeys).not.toContain('id="deleteProject"');
});

test('every topic is in the device reference, with its payload and a command to copy', () => {
  for (const [name, { example, http, way }] of Object.entries(topics) as [string, Topic][]) {
    const section = devices.split(`id="topic-${name}"`)[1]?.split('</article>')[0] ?? '';
    expect(section, name).toContain(escapeHtml(JSON.stringify(example, undefined, 2)));
    expect(section, name).toContain(
      way === 'up' ? 'mosquitto_pub -h iot.example' : 'mosquitto_sub -h iot.example',
    );
    if (http) expect(section, name).toContain('https://iot.example/device/v1/');
  }
});

test('the device reference has all facts needed to write a client', () => {
  for (const words of [
    '&quot;ok&quot;: false',
    '<code>critical</code>',
    'MQTT 5 and 3.1 are refused',
    'integers are exact up to ±9,007,199,254,740,991',
    'exactly three digits of milliseconds',
    '<code>0</code> error',
    'begins with one of the <code>prefixes</code>',
    'delivered again after 30 seconds',
    'the first answer to a command counts',
    'up to 200 entities',
    'subscribe to commands at QoS 1',
    'send no <code>Authorization</code>',
    '[{"id":"cmd_01k9x3m2h4e6d8b0a2c4e6g8j0","name":"blink"',
    'such as <code>no_space</code>',
    '/logRequests/lrq_01k9x3m2h4e6d8b0a2c4e6g8j0/status',
  ])
    expect(devices).toContain(words);
  const log = devices.split('id="topic-log"')[1]?.split('</article>')[0];
  expect(log).toContain('-q 0 -t');
});

test('no example value is just the name of its field or type', () => {
  const text = [page, ofApps, ofKeys].join().replaceAll('<wbr>', '').replaceAll('&quot;', '"');
  const pairs = [...text.matchAll(/"(\w+)": "(\w+)"/g)].filter(
    ([, name = '', value = '']) => value === 'string' || name.toLowerCase() === value.toLowerCase(),
  );
  expect(pairs.map(([pair]) => pair)).toEqual([]);
});

test('every reason has an anchor for links', () => {
  for (const reason of Object.keys(reasons)) expect(page).toContain(`id="reason-${reason}"`);
  for (const reason of Object.keys(rejectReasons)) expect(devices).toContain(`id="rejected-${reason}"`);
});

test.each([
  ['the developer API', () => page],
  ['the app API', () => ofApps],
  ['the service API', () => ofKeys],
  ['the device protocol', () => devices],
])('all links within the page of %s have a target', (_, text) => {
  const ids = new Set([...text().matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const [, target] of text().matchAll(/href="#([^"]+)"/g)) expect(ids, target).toContain(target);
  expect(ids.size).toBe([...text().matchAll(/ id="/g)].length);
});

test('the page needs no scripts and no other sites', async () => {
  expect(page).not.toContain('<script');
  expect(page).not.toMatch(/ style="/);
  for (const [, href = ''] of page.matchAll(/<link [^>]*href="([^"]+)"/g)) {
    expect((await app.inject(href)).statusCode, href).toBe(200);
  }
  const { headers } = await app.inject('/docs');
  expect(headers['content-security-policy']).not.toContain('unsafe');
});

test.each([
  '/docs',
  '/docs/app',
  '/docs/service',
  '/docs/service/openapi.json',
  '/docs/devices',
  '/api/openapi.json',
  '/page/page.css',
  '/page/inter.woff2',
])('%s gets 304 for a client that has it already', async url => {
  const first = await app.inject(url);
  expect(first.statusCode).toBe(200);
  const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});

test('the OpenAPI document is served to programs', async () => {
  const { openapi, paths, info } = (await app.inject('/api/openapi.json')).json();
  expect(openapi).toBe('3.1.0');
  expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(paths).toHaveProperty(['/projects/{projectId}', 'get', 'operationId'], 'readProject');
});
