import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { pageFiles } from '#server/api/pages/pageFiles.ts';
import { sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { createSealing } from '#server/infra/sealing.ts';
import { verificationLetter } from '#server/mail/sending/developerMails.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { outbox } from './outbox.ts';

const sealing = createSealing(Buffer.alloc(32, 7));
const open = { smtpUrl: undefined, publicUrl: undefined, trustProxy: false };
let base: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.end());
afterEach(async () => {
  await app.close();
  await base.db.run(sql`delete from mails`);
});

test('a new developer finds the verification e-mail and its link', async () => {
  await start();
  const id = await queue('ada@example.com', 'Ada', 'tok-1');
  const { body, headers } = await get('/outbox');
  expect(body).toContain('Verify your e-mail address');
  expect(body).toContain('ada@example.com');
  expect(body).toContain(`src="/outbox/${id}/content"`);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['cache-control']).toBe('no-store');
  const content = await get(`/outbox/${id}/content`);
  expect(content.body).toContain('<base target="_top">');
  expect(content.body).toContain('href="http://localhost:8080/verify?token=tok-1"');
});

test('e-mails are available as JSON, newest first', async () => {
  await start();
  await queue('ada@example.com', 'Ada', 'tok-1');
  const id = await queue('bob@example.com', 'Bob', 'tok-2');
  const messages = (await get('/outbox/messages')).json();
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatchObject({
    id,
    to: 'bob@example.com',
    subject: 'Verify your e-mail address',
    links: ['http://localhost:8080/verify?token=tok-2'],
    text: expect.stringContaining('Hello Bob,'),
    html: expect.stringContaining('<!doctype html>'),
    createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
});

test('an empty outbox says what will be in it', async () => {
  await start();
  expect((await get('/outbox')).body).toContain('No e-mails yet');
  expect((await get('/outbox/messages')).json()).toEqual([]);
});

test('the content of an e-mail cannot become markup of the page', async () => {
  await start();
  await queue('"><script>@example.com', '<img src=x>', 't');
  const { body } = await get('/outbox');
  expect(body).not.toContain('<script');
  expect(body).not.toContain('<img');
});

test('an unknown e-mail is not found', async () => {
  await start();
  expect((await get('/outbox/mail_0')).statusCode).toBe(404);
  expect((await get('/outbox/mail_0/content')).statusCode).toBe(404);
});

test.each<[string, InjectOptions]>([
  ['from another machine', { remoteAddress: '192.0.2.7' }],
  ['for another name of this machine', { headers: { host: 'evil.example:8080' } }],
  ['through a proxy', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
])('e-mails cannot be read %s', async (_, asked) => {
  await start();
  const id = await queue('ada@example.com', 'Ada', 'tok-1');
  for (const url of ['/outbox', '/outbox/messages', `/outbox/${id}`, `/outbox/${id}/content`]) {
    const { statusCode, body } = await get(url, asked);
    expect(statusCode, url).toBe(404);
    expect(body).not.toContain('tok-1');
  }
});

test.each([
  ['with a mail server', { smtpUrl: 'smtp://127.0.0.1' }],
  ['behind a proxy that is trusted', { trustProxy: true }],
  ['behind one that ends TLS', { publicUrl: 'https://iot.example' }],
])('there is no outbox %s', async (_, config) => {
  await start({ ...open, ...config });
  expect((await get('/outbox')).statusCode).toBe(404);
  expect((await get('/outbox/messages')).statusCode).toBe(404);
});

async function start(config: Parameters<typeof outbox>[1]['config'] = open): Promise<void> {
  app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) throw error;
    return reply.code(error.status).send(error.toAnswer());
  });
  await pageFiles(app);
  await outbox(app, { db: base.db, sealing, config });
}

function get(url: string, asked: InjectOptions = {}) {
  return app.inject({ url, ...asked, headers: { host: 'localhost:8080', ...asked.headers } });
}

function queue(to: string, name: string, token: string): Promise<string> {
  const making = { sealing, clock: () => new Date(), newId: (prefix: string) => newId(prefix, Date.now()) };
  const letter = verificationLetter({ baseUrl: 'http://localhost:8080', name, token });
  return base.db.tx(db => queueMail(db, making, { to, letter }));
}
