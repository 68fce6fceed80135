import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { ConfigFaults } from '#contract/moduleConfig.ts';
import { listModuleRuns, testSmartModule } from '#contract/moduleRun.ts';
import { rotateWebhookSecret } from '#contract/moduleWebhook.ts';
import { editSmartModule, readModuleEditDoc, readSmartModule } from '#contract/smartModule.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { lockModule, secretsOf, updateModule } from '#server/modules/smartModules/store.ts';
import { failing } from '#test/failing.ts';
import { aRun, createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { aWebServer } from '#test/webServer.ts';
import type { WebhookConfig } from './webhookConfig.ts';
import { webhookType } from './webhookType.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
const paramsOf = (moduleId: string) => ({ params: { projectId: at.projectId, moduleId } });
const event = {
  id: 'evt_1',
  ts: '2026-11-20T09:46:00.000Z',
  name: 'doorOpened',
  deviceId: 'dev_1',
  payload: { by: 'Ünal' },
};
const device = {
  id: 'dev_1',
  tag: 'door-1',
  name: 'Door',
  deviceClass: 'door',
  homeId: '1001',
  connected: true,
  since: undefined,
};

interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that answers as given, and records the requests it gets. */
async function aReceiver(answer: (response: ServerResponse) => void = response => response.end('thanks')) {
  const got: Got[] = [];
  const server = await aWebServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      answer(response);
    });
  });
  return Object.assign(server, { got, url: `http://127.0.0.1:${server.port}/hook` });
}

const sent = async (moduleId: string) => {
  const run = await aRun<WebhookConfig>(at, moduleId, { event, device, now: new Date() });
  return { run, outcome: await webhookType.run(run, at.world.platform) };
};

const rotated = (moduleId: string) =>
  at.owner.client.call(rotateWebhookSecret, { params: { projectId: at.projectId, moduleId } });
const verify = (secret: string, { headers, body }: Got) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

it('the Standard Webhooks library accepts what is sent, and nothing that was altered', async () => {
  await using receiver = await aReceiver();
  const { id } = await createdModule(at, 'webhook', { url: receiver.url });
  const { secret } = await rotated(id);
  const { run, outcome } = await sent(id);
  expect(outcome).toMatchObject({ isOk: true, summary: expect.stringMatching(/^200 in \d+ ms$/) });
  const [got] = receiver.got;
  if (!got) throw new Error('Nothing came.');
  expect(verify(secret, got)).toEqual({
    type: 'doorOpened',
    timestamp: event.ts,
    data: {
      event: { id: 'evt_1', name: 'doorOpened', ts: event.ts },
      device: { id: 'dev_1', tag: 'door-1', name: 'Door', deviceClass: 'door' },
      home: { id: '1001' },
      payload: event.payload,
    },
  });
  expect(got.headers['webhook-id']).toBe(run.runId);
  expect(() => verify(secret, { ...got, body: got.body.replace('Door', 'Gate') })).toThrow();
});

it('after a rotation the previous secret also signs for a day', async () => {
  await using receiver = await aReceiver();
  const { id } = await createdModule(at, 'webhook', { url: receiver.url });
  const first = await rotated(id);
  const second = await rotated(id);
  const left = new Date(second.previousUntil ?? '').getTime() - at.world.now().getTime();
  expect(Math.round(left / hourMs)).toBe(24);
  await sent(id);
  const run = await aRun<WebhookConfig>(at, id, { event, device });
  const later = { ...run, now: new Date(run.now.getTime() + 24 * hourMs + minuteMs) };
  await webhookType.run(later, at.world.platform);
  const [inTime, tooLate] = receiver.got;
  if (!inTime || !tooLate) throw new Error('Too little came.');
  verify(first.secret, inTime);
  verify(second.secret, inTime);
  expect(String(inTime.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect(String(tooLate.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

it('a test is stored under the id that was sent to the receiver', async () => {
  await using receiver = await aReceiver();
  const { id } = await createdModule(at, 'webhook', { url: receiver.url });
  await at.owner.client.call(testSmartModule, { ...paramsOf(id), body: {} });
  const runs = await at.owner.client.call(listModuleRuns, { ...paramsOf(id), query: {} });
  expect(runs.map(run => run.id)).toEqual([receiver.got[0]?.headers['webhook-id']]);
});

it('a rotation replaces the signing secret, and keeps another secret that was just changed', async () => {
  const { id } = await createdModule(at, 'webhook', {
    url: 'http://127.0.0.1:8000/',
    authorization: 'first',
  });
  const { platform } = at.world;
  let rotation: ReturnType<typeof rotated> | undefined;
  await platform.db.tx(async tx => {
    const row = await lockModule(tx, at.projectId, id);
    if (!row) throw new Error('There is no module.');
    rotation = rotated(id);
    await until(async () => {
      const waits = await platform.db.one(sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
      return waits && true;
    });
    const secrets = { ...secretsOf(platform, row), '/authorization': 'second' };
    const sealedSecrets = platform.sealing.seal(JSON.stringify(secrets));
    await updateModule(tx, row, { sealedSecrets });
  });
  const made = await rotation;
  const run = await aRun<WebhookConfig>(at, id);
  expect(run.module.config).toMatchObject({ secret: made?.secret, authorization: 'second' });
});

it('410 suspends the module, a redirect fails without being followed, and Retry-After counts up to a day', async () => {
  const answers = [
    { status: 410, headers: {} },
    { status: 302, headers: { location: '/elsewhere' } },
    { status: 503, headers: { 'retry-after': '120' } },
    { status: 500, headers: { 'retry-after': '99999999' } },
    { status: 400, headers: {} },
  ];
  await using receiver = await aReceiver(response => {
    const { status, headers } = answers[receiver.got.length - 1] ?? { status: 200, headers: {} };
    response.writeHead(status, headers).end();
  });
  const { id } = await createdModule(at, 'webhook', { url: receiver.url });
  const [gone, moved, busy, down, refused] = [
    await sent(id),
    await sent(id),
    await sent(id),
    await sent(id),
    await sent(id),
  ].map(({ outcome }) => outcome);
  expect(gone).toMatchObject({ isOk: false, isFinal: true, suspend: expect.stringContaining('410') });
  expect(moved).toMatchObject({ isOk: false, summary: expect.stringContaining('redirects') });
  expect(busy).toMatchObject({ isOk: false, retryAfterS: 120 });
  expect(down).toMatchObject({ isOk: false, retryAfterS: 86_400 });
  expect(refused).toMatchObject({ isOk: false });
  expect(receiver.asked.every(call => call.endsWith('/hook'))).toBe(true);
});

it('an answer may have any length, and the run stores its beginning without secrets', async () => {
  await using receiver = await aReceiver(response => {
    response.writeHead(200, { 'set-cookie': 'session=abc', 'x-kind': 'long' }).end('\0é'.repeat(100_000));
  });
  const { id } = await createdModule(at, 'webhook', { url: receiver.url, authorization: 'Bearer hunter2' });
  const { outcome } = await sent(id);
  expect(outcome.isOk).toBe(true);
  expect(receiver.got[0]?.headers.authorization).toBe('Bearer hunter2');
  expect(outcome.answered?.status).toBe(200);
  expect(outcome.answered?.headers).toMatchObject({ 'x-kind': 'long', 'set-cookie': '…' });
  expect(Buffer.byteLength(outcome.answered?.body ?? '')).toBeLessThan(40_000);
  const record = JSON.stringify(outcome);
  expect(record).not.toContain('hunter2');
  expect(record).not.toContain(String(receiver.got[0]?.headers['webhook-signature']));
  expect(record).not.toContain('\\u0000');
});

it('a receiver that refuses the connection yields a failed attempt with a reason', async () => {
  const receiver = await aReceiver();
  const { id } = await createdModule(at, 'webhook', { url: receiver.url });
  await receiver[Symbol.asyncDispose]();
  const { outcome } = await sent(id);
  expect(outcome).toMatchObject({ isOk: false, summary: 'The server refused the connection.' });
  expect(outcome.sent?.body).toContain('doorOpened');
});

it.each(['http://192.168.0.1/', 'ftp://127.0.0.1/', 'https://127.0.0.1:22/', 'nonsense'])(
  'the URL %s is refused at its field',
  async url => {
    const error = await failing(createdModule(at, 'webhook', { url }), 'INVALID_MODULE_CONFIG');
    expect(ConfigFaults.parse(error.context).faults).toEqual([
      { pointer: '/url', message: expect.stringContaining('cannot be called') },
    ]);
  },
);

it('a new URL requires the authorization to be entered again, and keeps the signing secret', async () => {
  await using receiver = await aReceiver();
  await using other = await aReceiver();
  const { id } = await createdModule(at, 'webhook', { url: receiver.url, authorization: 'Bearer hunter2' });
  const edit = (configData: { url: string; authorization?: string }) =>
    at.owner.client.call(editSmartModule, { ...paramsOf(id), body: { configData } });
  const error = await failing(edit({ url: other.url }), 'INVALID_MODULE_CONFIG');
  expect(ConfigFaults.parse(error.context).faults.map(({ pointer }) => pointer)).toEqual(['/authorization']);
  const { secret } = await rotated(id);
  await edit({ url: other.url, authorization: 'Bearer other' });
  await sent(id);
  const [got] = other.got;
  if (!got) throw new Error('Nothing came.');
  verify(secret, got);
});

it('an optional secret can be removed, a required one cannot', async () => {
  const { id } = await createdModule(at, 'webhook', {
    url: 'http://127.0.0.1:8000/',
    authorization: 'first',
  });
  const edit = (secrets: object) =>
    at.owner.client.call(editSmartModule, {
      ...paramsOf(id),
      body: { configData: { url: 'http://127.0.0.1:8000/', ...secrets } },
    });
  await edit({ authorization: null });
  const { secrets } = await at.owner.client.call(readModuleEditDoc, paramsOf(id));
  expect(Object.keys(secrets)).toEqual(['/secret']);
  for (const wrong of [{ secret: null }, { secret: 5 }, { authorization: 5 }]) {
    const error = await failing(edit(wrong), 'INVALID_MODULE_CONFIG');
    const pointers = ConfigFaults.parse(error.context).faults.map(({ pointer }) => pointer);
    expect(pointers).toEqual([`/${Object.keys(wrong)[0]}`]);
  }
});

it('secrets cannot be read back', async () => {
  const { id } = await createdModule(at, 'webhook', {
    url: 'http://127.0.0.1:8000/',
    authorization: 'Bearer hunter2',
  });
  const { secret } = await rotated(id);
  const module = await at.owner.client.call(readSmartModule, paramsOf(id));
  const doc = await at.owner.client.call(readModuleEditDoc, paramsOf(id));
  expect(doc.secrets).toEqual({ '/secret': `…${secret.slice(-3)}`, '/authorization': '…er2' });
  expect(JSON.stringify([module, doc.values])).not.toMatch(/hunter2|whsec_/);
});

it('only a webhook has a signing secret', async () => {
  const { id } = await createdModule(at, 'table', {});
  await failing(rotated(id), 'NOT_A_WEBHOOK');
});
