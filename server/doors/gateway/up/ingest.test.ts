import { describe, expect, it } from 'vitest';
import { readAppFigures } from '#contract/app.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { listDeviceEntities } from '#contract/deviceState.ts';
import { listQuarantine } from '#contract/quarantine.ts';
import { readTrafficStats } from '#contract/stats.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aDevice } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { toHalfPast } from '#test/world.ts';

const at = aGatewayWorld();

describe('an event', () => {
  it('is stored with its original text, in the order of arrival', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    const topic = `d/${device.id}/events/measured`;
    const texts = Array.from({ length: 50 }, (_, i) => `{"b":${i}.50, "a":1}`);
    await Promise.all(texts.map(text => here.client.publishAsync(topic, text, { qos: 1 })));
    const rows = await at.world.platform.db.many<{ text: string }>(sql`
      select payload::text as text from device_events where device_id = ${device.id} order by ts, id`);
    expect(rows.map(({ text }) => text)).toEqual(texts);
  });

  it('is counted by name for the statistics of apps', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const app = await anApp(at.owner, projectId);
    const device = await aDevice(at.owner, projectId);
    await using here = await at.connect(device);
    for (const name of ['press', 'press', 'motion']) await here.say(`events/${name}`, {});
    const names = await until(async () => {
      const { events } = await at.owner.client.call(readAppFigures, {
        params: { appId: app.id },
        query: { projectId },
      });
      return events.length === 2 ? events : undefined;
    });
    expect(names).toMatchObject([
      { name: 'press', count: 2 },
      { name: 'motion', count: 1 },
    ]);
  });

  it('with an alert raises the alert', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/smoke', { _alert: { severity: 'critical', text: 'Fire' } });
    const rows = await at.world.platform.db.many(sql`
      select severity, text, event from alerts where device_id = ${device.id}`);
    expect(rows).toEqual([{ severity: 'critical', text: 'Fire', event: 'smoke' }]);
  });

  it('at QoS 0 is stored as well', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/door', 1, { qos: 0 });
    await until(async () => ((await at.eventsOf(device)).length === 1 ? true : undefined));
  });
});

describe('a rejected message', () => {
  it.each([
    ['events/door', '{"a":1,}', 'MALFORMED'],
    ['events/door', '', 'MALFORMED'],
    ['events/door', '\uFEFF{}', 'MALFORMED'],
    ['events/door', '{"a":"\\u0000"}', 'MALFORMED'],
    ['events/door', '{"a":1,"a":2}', 'MALFORMED'],
    ['events/door', '9007199254740993', 'MALFORMED'],
    ['events/door', `${'['.repeat(101)}${']'.repeat(101)}`, 'MALFORMED'],
    ['events/a--b', '{}', 'INVALID_NAME'],
    [`events/${'x'.repeat(101)}`, '{}', 'INVALID_NAME'],
    ['events/door', '{"_alert":{"severity":"loud","text":"x"}}', 'INVALID_FIELDS'],
    ['installed', '{"components":[],"more":1}', 'INVALID_FIELDS'],
    ['progress', '{"state":"done","percent":101}', 'INVALID_FIELDS'],
    ['entities', '[{"name":"a b","class":"c"}]', 'INVALID_FIELDS'],
    ['entities', '[{"name":"a","class":"c"},{"name":"a","class":"c"}]', 'INVALID_FIELDS'],
    ['results/cmd_none', '{"ok":true}', 'COMMAND_NOT_FOUND'],
    ['logRequests/lrq_none/status', '{"status":"nologs"}', 'LOG_REQUEST_NOT_FOUND'],
    ['desired', '{}', 'TOPIC_UNKNOWN'],
    ['events', '{}', 'TOPIC_UNKNOWN'],
    ['events/', '{}', 'TOPIC_UNKNOWN'],
    ['log', '{"level":2,"text":"x"}', 'QOS_REFUSED'],
  ])('on %s is acknowledged, and the device is told the reason: %#', async (topic, text, reason) => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('rejected');
    await here.client.publishAsync(`d/${device.id}/${topic}`, text, { qos: 1 });
    expect((await here.next('rejected')).payload).toMatchObject({ topic, reason });
    await here.say('events/after', {});
    await at.untilLogged(device, ' rejected: ');
  });

  it.each([
    ['[]', 'INVALID_FIELDS'],
    ['null', 'INVALID_FIELDS'],
    [`{"x":"${'x'.repeat(65 * 1024)}"}`, 'TOO_LARGE'],
  ])('about the state is reported on its own topic: %#', async (text, reason) => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('state/rejected');
    await here.client.publishAsync(`d/${device.id}/state`, text, { qos: 1 });
    expect((await here.next('state/rejected')).payload).toMatchObject({ topic: 'state', reason });
    expect((await at.stateOf(device)).reported).toEqual({});
  });

  it('has a single line in the log, however many topics the device makes up', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    for (let i = 0; i < 20; i++) await here.say(`made-up-${i}/${'a'.repeat(1_000)}`, {});
    await here.say('events/a--b', {});
    await at.untilLogged(device, 'Message on events/a--b rejected');
    const lines = (await at.logOf(device)).filter(({ action }) => action === 'messageRefused');
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines).length).toBeLessThan(2_000);
  });

  it('cannot pollute prototypes', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.client.publishAsync(
      `d/${device.id}/state`,
      '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}',
      {
        qos: 1,
      },
    );
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(({} as Record<string, unknown>).y).toBeUndefined();
    expect(Object.keys((await at.stateOf(device)).reported).toSorted()).toEqual(['__proto__', 'constructor']);
  });
});

describe('a message that violates a schema of its class', () => {
  const schemas = {
    stateSchema: { type: 'object', properties: { t: { type: 'number' } }, required: ['t'] },
    eventSchemas: { door: { type: 'object', required: ['open'] } },
  };

  it('is quarantined with the difference, and has no effect', async () => {
    const { id: deviceClass } = await at.deviceClass(schemas);
    const device = await at.device({ deviceClass });
    await using here = await at.connect(device);
    await here.listen('#');
    await here.say('events/door', { closed: true, _alert: { severity: 'info', text: 'x' } });
    expect((await here.next('rejected')).payload).toMatchObject({
      reason: 'SCHEMA_BROKEN',
      faults: [{ at: '' }],
    });
    await here.say('state', { t: 'warm' });
    expect((await here.next('state/rejected')).payload).toMatchObject({ faults: [{ at: '/t' }] });
    await here.say('events/other', { free: true });
    await here.say('state', { t: 20 });
    expect(await at.eventsOf(device)).toMatchObject([{ name: 'other' }]);
    expect((await at.stateOf(device)).reported).toEqual({ t: 20 });
    const query = { projectId: at.projectId };
    const { items } = await at.owner.client.call(listQuarantine, { params: { classId: deviceClass }, query });
    expect(items).toMatchObject([
      { kind: 'state', payload: { t: 'warm' }, deviceId: device.id },
      { kind: 'event', name: 'door', payload: { closed: true } },
    ]);
    expect(
      await at.owner.client.call(readDeviceClass, { params: { classId: deviceClass }, query }),
    ).toMatchObject({
      quarantineCount: 2,
    });
    const alerts = await at.world.platform.db.many(sql`select 1 from alerts where device_id = ${device.id}`);
    expect(alerts).toEqual([]);
  });

  it('is judged by the state it would result in, not by its own content', async () => {
    const { id: deviceClass } = await at.deviceClass(schemas);
    const device = await at.device({ deviceClass });
    await using here = await at.connect(device);
    await here.listen('state/rejected');
    await here.say('state', { on: true });
    await here.next('state/rejected');
    await here.say('state', { t: 1 });
    await here.say('state', { on: true });
    await here.say('state', { t: null });
    await here.next('state/rejected');
    expect((await at.stateOf(device)).reported).toEqual({ t: 1, on: true });
  });
});

it('the quarantine of a class keeps its newest ten thousand messages', async () => {
  const { id: deviceClass } = await at.deviceClass({ eventSchemas: { door: false } });
  const device = await at.device({ deviceClass });
  const { db } = at.world.platform;
  await db.run(sql`
    insert into quarantine (project_id, device_class, ts, id, device_id, kind, payload, faults)
    select ${at.projectId}, ${deviceClass}, now() - interval '1 h', 'qrt_' || lpad(n::text, 5, '0'), ${device.id}, 'event', '1', '[]'
    from generate_series(1, 10010) n`);
  await using here = await at.connect(device);
  await here.say('events/door', {});
  const [kept] = await db.many(sql`
    select count(*)::int as count, min(id) as first from quarantine where device_class = ${deviceClass}`);
  expect(kept).toEqual({ count: 10_000, first: 'qrt_00012' });
});

describe('entities', () => {
  it('are replaced by the latest report', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('entities', [
      { name: 'a', class: 'lamp', state: { on: true } },
      { name: 'b', class: 'lamp' },
    ]);
    await here.say('entities', [{ name: 'c', class: 'fan' }]);
    const entities = await at.owner.client.call(listDeviceEntities, { params: { deviceId: device.id } });
    expect(entities).toEqual([{ name: 'c', class: 'fan' }]);
  });
});

it('messages in both directions are counted for the project', async () => {
  toHalfPast(at.world);
  const { id: projectId } = await at.world.aProject(at.owner);
  const device = await aDevice(at.owner, projectId);
  await using here = await at.connect(device);
  await here.listen('desired');
  await here.next('desired');
  for (let i = 0; i < 3; i++) await here.say('events/tick', 'x'.repeat(100));
  const month = at.world.now().toISOString().slice(0, 7);
  const counts = await until(async () => {
    const params = { projectId };
    const [now] = await at.owner.client.call(readTrafficStats, {
      params,
      query: { begin: month, end: month },
    });
    return now && now.counts.deviceMessagesIn >= 3 ? now.counts : undefined;
  });
  expect(counts).toMatchObject({ deviceMessagesIn: 3, deviceMessagesOut: 1 });
  expect(counts.bytes).toBeGreaterThan(300);
});

describe('acknowledgements', () => {
  it('are sent in the order of the messages, however long each takes', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device));
    await raw.next('connack');
    const topics = ['events/a', 'state', 'nowhere', 'entities', 'progress', 'events/b', 'desired', 'state'];
    raw.send(
      ...topics.map((topic, i) => ({
        type: 'publish' as const,
        topic: `d/${device.id}/${topic}`,
        qos: 1 as const,
        retain: false,
        dup: false,
        packetId: i + 1,
        payload: Buffer.from(topic === 'entities' ? '[]' : '{"state":"done"}'),
      })),
    );
    const acknowledged = () =>
      raw.heard.flatMap(packet => (packet.type === 'puback' ? [packet.packetId] : []));
    await until(() => (acknowledged().length === topics.length ? true : undefined));
    expect(acknowledged()).toEqual(topics.map((_, i) => i + 1));
  });
});
