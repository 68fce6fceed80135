import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { startJobs, type Tasks } from '#server/infra/jobs/jobs.ts';
import { createSealing } from '#server/infra/sealing.ts';
import { attempt } from '#test/attempt.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { freePort } from '#test/serverProcess.ts';
import { deadline } from '#test/until.ts';
import { verificationLetter } from './developerMails.ts';
import type { Letter } from './letter.ts';
import { queueMail } from './queueMail.ts';
import { sendMail } from './sendMail.ts';
import { createSmtp } from './smtp.ts';

let test1: TestDatabase;
const sealing = createSealing(Buffer.alloc(32, 7));
const clock = () => new Date();
const log = vi.fn();
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  test1 = await testDatabase({ max: 10 });
});
afterAll(() => test1.end());
afterEach(async () => {
  while (ends.length > 0) await ends.pop()?.();
});

test('an e-mail is delivered once and completely, and its content is deleted', async () => {
  const server = await mailServer();
  await startSending(server.port);
  const letter = verificationLetter({ baseUrl: 'http://localhost:8080', name: 'Ada', token: 'secret-token' });
  const id = await queue('ada@example.com', letter);
  await vi.waitFor(() => expect(server.received).toHaveLength(1), deadline);
  expect(server.received[0]).toMatchObject({ to: ['ada@example.com'], from: 'mooring@iot.example' });
  expect(server.received[0]?.content).toContain(`Message-ID: <${id}@iot.example>`);
  expect(server.received[0]?.content).toContain('Subject: Verify your e-mail address');
  expect(server.received[0]?.content).toContain('Auto-Submitted: auto-generated');
  await vi.waitFor(
    async () => expect(await row(id)).toMatchObject({ sent: true, content: null, attempts: 1 }),
    deadline,
  );
});

test('an e-mail with an unsubscribe link has the headers for one-click unsubscribing', async () => {
  const server = await mailServer();
  await startSending(server.port);
  const unsubscribeUrl = 'https://iot.example/u/prj_1/unsubscribe?token=abc';
  await queue('ada@example.com', { subject: 's', text: 't', html: 'h', unsubscribeUrl });
  await vi.waitFor(() => expect(server.received).toHaveLength(1), deadline);
  expect(server.received[0]?.content).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
  expect(server.received[0]?.content).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
});

test('an e-mail is not sent if its transaction is rolled back', async () => {
  const letter = { subject: 's', text: 't', html: 'h' };
  const before = await count();
  const work = test1.db.tx(async db => {
    await queueMail(db, making, { to: 'ada@example.com', letter });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await count()).toEqual(before);
});

test('a mail server that hangs does not keep other jobs from running', async () => {
  const hanging: (() => void)[] = [];
  let isHanging = true;
  const server = await mailServer({
    onConnect: (_session, done) => void (isHanging ? hanging.push(done) : done()),
  });
  const others = vi.fn(async () => undefined);
  for (let i = 0; i < 12; i++) await queue(`ada${i}@example.com`);
  await startSending(server.port, '', { keepHouse: others });
  ends.push(async () => {
    isHanging = false;
    for (const answer of hanging) answer();
  });
  await vi.waitFor(() => expect(hanging).not.toEqual([]), deadline);
  await enqueue(test1.db, 'keepHouse', {});
  await vi.waitFor(() => expect(others).toHaveBeenCalled(), deadline);
  expect(server.received).toEqual([]);
});

test('an e-mail that is refused temporarily is sent later', async () => {
  let refusals = 0;
  const server = await mailServer({
    onRcptTo(_address, _session, done) {
      if (refusals++ === 0) done(Object.assign(new Error('busy'), { responseCode: 451 }));
      else done();
    },
  });
  await startSending(server.port);
  const id = await queue('ada@example.com');
  await vi.waitFor(async () => expect((await row(id))?.error).toContain('451'), deadline);
  expect((await row(id))?.content).not.toBeNull();
  await dueNow();
  await vi.waitFor(
    async () => expect(await row(id)).toMatchObject({ sent: true, error: null, attempts: 2 }),
    deadline,
  );
  expect(server.received).toHaveLength(1);
});

test('an e-mail that is refused permanently is not sent again, and the reason is stored', async () => {
  const server = await mailServer({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such box'), { responseCode: 550 })),
  });
  await startSending(server.port);
  const id = await queue('nobody@example.com');
  await vi.waitFor(async () => expect(await row(id)).toMatchObject({ sent: false, attempts: 1 }), deadline);
  expect(await row(id)).toMatchObject({ content: null, error: expect.stringContaining('550') });
  await vi.waitFor(async () => expect((await count()).jobs).toBe(0), deadline);
});

test('e-mails wait for a mail server that is down, and are sent once', async () => {
  const port = await freePort();
  await startSending(port);
  const id = await queue('ada@example.com');
  await vi.waitFor(async () => expect((await row(id))?.error).toContain('ECONNREFUSED'), deadline);
  const back = await mailServer({}, port);
  await dueNow();
  await vi.waitFor(async () => expect(await row(id)).toMatchObject({ sent: true }), deadline);
  expect(back.received).toHaveLength(1);
});

test('an e-mail waits if the mail server refuses the operator’s login', async () => {
  const server = await mailServer({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('bad login'), { responseCode: 535 })),
  });
  await startSending(server.port, 'user:wrong@');
  const id = await queue('ada@example.com');
  await vi.waitFor(async () => expect((await row(id))?.error).toContain('535'), deadline);
  expect(await row(id)).toMatchObject({ sent: false, content: expect.any(Buffer) });
});

const refusing = (responseCode: number, said = 'refused') => Object.assign(new Error(said), { responseCode });
const refusingRecipient = (code: number, said?: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(refusing(code, said)),
});
const refusals: [string, SMTPServerOptions][] = [
  ['the sender', { onMailFrom: (_address, _session, done) => done(refusing(550)) }],
  ['the sender without a login', { onMailFrom: (_address, _session, done) => done(refusing(530)) }],
  ['any recipient without a login', refusingRecipient(530)],
  ['to relay', refusingRecipient(554, '5.7.1 <ada@example.com>: Relay access denied')],
  ['the sender, once it knows the recipient', refusingRecipient(550, '5.7.60 Not allowed to send as this')],
  ['to relay, in its own words', refusingRecipient(550, 'relay not permitted')],
  ['a recipient whose mailbox is full', refusingRecipient(552, '5.2.2 Mailbox full')],
  ['commands in this order', refusingRecipient(503, 'Bad sequence of commands')],
];
test.each(refusals)('an e-mail waits while the mail server refuses %s', async (_, refusal) => {
  const server = await mailServer(refusal);
  await startSending(server.port);
  const id = await queue('ada@example.com');
  await vi.waitFor(async () => expect((await row(id))?.error).toMatch(/refused|5\.\d|relay|Bad/), deadline);
  expect(await row(id)).toMatchObject({ sent: false, content: expect.any(Buffer) });
});

test('an e-mail whose content is refused permanently is not sent again', async () => {
  const server = await mailServer({
    onData(stream, _session, done) {
      stream.on('end', () => done(refusing(554)));
      stream.resume();
    },
  });
  await startSending(server.port);
  const id = await queue('ada@example.com');
  await vi.waitFor(async () => expect(await row(id)).toMatchObject({ sent: false, content: null }), deadline);
  expect((await row(id))?.error).toContain('554');
});

test('without a mail server an e-mail stays for the outbox', async () => {
  const task = sendMail({ db: test1.db, sealing, clock, log, smtp: undefined });
  const id = await queue('ada@example.com');
  await task({ mailId: id }, attempt);
  expect(await row(id)).toMatchObject({ sent: false, attempts: 0, content: expect.any(Buffer) });
});

const making = { sealing, clock, newId: (prefix: string) => newId(prefix, Date.now()) };

function queue(to: string, letter: Letter = { subject: 's', text: 't', html: '<p>h</p>' }): Promise<string> {
  return test1.db.tx(db => queueMail(db, making, { to, letter }));
}

function row(id: string) {
  return test1.db.one<{ sent: boolean; content: Buffer | null; attempts: number; error: string | null }>(sql`
    select sent_at is not null as sent, content, attempts, error from mails where id = ${id}`);
}

async function count() {
  const counted = await test1.db.one<{ mails: number; jobs: number }>(sql`
    select (select count(*)::int from mails) as mails, (select count(*)::int from graphile_worker.jobs) as jobs`);
  return counted ?? { mails: 0, jobs: 0 };
}

/** Makes waiting jobs due at once, without their backoff. */
async function dueNow(): Promise<void> {
  await vi.waitFor(async () => {
    const due = await test1.db.run(sql`
      update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts > 0`);
    expect(due).toBeGreaterThan(0);
  }, deadline);
}

async function startSending(port: number, login = '', others: Tasks = {}): Promise<void> {
  const smtp = createSmtp({
    smtpUrl: `smtp://${login}127.0.0.1:${port}`,
    mailFrom: 'Mooring <mooring@iot.example>',
  });
  const tasks = { ...others, sendMail: sendMail({ db: test1.db, sealing, clock, log, smtp }) };
  const jobs = await startJobs({ pool: test1.db.pool, log, tasks, pollMs: 50 });
  ends.push(async () => {
    await jobs.stop();
    smtp.close();
    await test1.db.run(sql`delete from graphile_worker._private_jobs`);
  });
}

interface Received {
  from: string;
  to: string[];
  content: string;
}

async function mailServer(options: SMTPServerOptions = {}, port = 0) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        const content = Buffer.concat(chunks).toString('utf8');
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          content,
        });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  // Closed last, because a mail server waits for its connected clients.
  ends.unshift(() => new Promise<void>(resolve => server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, received };
}
