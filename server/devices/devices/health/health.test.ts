import { describe, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { checkDevice, type DeviceHealth } from '#contract/deviceHealth.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { join, raw, sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

/** Without a gateway, which would renew its lease during a test. */
const at = aProjectWorld({ ROLES: 'api' });

type Id = DeviceHealth['layers'][number]['id'];
const ago = (ms: number) => new Date(at.world.now().getTime() - ms);

async function layerOf(deviceId: string, id: Id) {
  const { layers } = await at.owner.client.call(checkDevice, { params: { deviceId } });
  return layers.find(layer => layer.id === id);
}

/** Writes presence columns in place of a gateway. */
async function presence(deviceId: string, columns: Record<string, unknown>): Promise<void> {
  const sets = Object.entries(columns).map(([name, value]) => sql`${raw(name)} = ${value}`);
  await at.world.platform.db.run(sql`update device_presence set ${join(sets)} where device_id = ${deviceId}`);
}
const connected = {
  seen_at: 'infinity',
  since: new Date(Date.now() - hourMs),
  protocol: 'mqtt',
  address: '203.0.113.7',
};

describe('the health check', () => {
  it('lists its layers from the platform to the device', async () => {
    const { id } = await at.device();
    const { layers } = await at.owner.client.call(checkDevice, { params: { deviceId: id } });
    const ids = ['gateway', 'suspended', 'key', 'connected', 'messages', 'subscriptions', 'rate', 'schema'];
    expect(layers.map(layer => layer.id)).toEqual([...ids, 'commands']);
    expect(layers.map(layer => layer.verdict).slice(1)).toEqual([
      'ok',
      'ok',
      'fail',
      'unknown',
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(layers[3]?.text).toBe('The device has never connected.');
    await failing(
      at.owner.client.call(checkDevice, { params: { deviceId: 'dev_none' } }),
      'DEVICE_NOT_FOUND',
    );
  });

  it('says whether any gateway is alive', async () => {
    const { id } = await at.device();
    const { db } = at.world.platform;
    expect(await layerOf(id, 'gateway')).toMatchObject({ verdict: 'fail' });
    await db.run(sql`insert into gateways values ('gtw_dead', now(), now() - interval '1 minute')`);
    expect(await layerOf(id, 'gateway')).toMatchObject({ verdict: 'fail' });
    await db.run(sql`insert into gateways values ('gtw_alive', now(), now() + interval '1 day')`);
    expect(await layerOf(id, 'gateway')).toMatchObject({ verdict: 'ok' });
  });

  it('reports a suspension', async () => {
    const { id } = await at.device();
    await at.owner.client.call(editDevice, { params: { deviceId: id }, body: { suspended: true } });
    expect(await layerOf(id, 'suspended')).toMatchObject({ verdict: 'fail', advice: 'Resume the device.' });
  });

  it('reports a wrong key until the device connects with the right one', async () => {
    const { id } = await at.device();
    const refusedAt = ago(minuteMs);
    await presence(id, { key_rejected_at: refusedAt, key_rejected_reason: 'KEY_CHANGED' });
    expect(await layerOf(id, 'key')).toMatchObject({ verdict: 'fail', at: refusedAt.toISOString() });
    await presence(id, connected);
    expect(await layerOf(id, 'key')).toMatchObject({ verdict: 'warn' });
    await presence(id, { since: ago(0) });
    expect(await layerOf(id, 'key')).toMatchObject({ verdict: 'ok' });
  });

  it('still reports a wrong key after a connection was refused for another reason', async () => {
    const { id } = await at.device();
    await presence(id, { key_rejected_at: ago(hourMs), key_rejected_reason: 'KEY_CHANGED' });
    await presence(id, { rejected_at: ago(minuteMs), rejected_reason: 'SUSPENDED' });
    expect(await layerOf(id, 'key')).toMatchObject({ verdict: 'warn' });
    await presence(id, { last_message_at: ago(0) });
    expect(await layerOf(id, 'key')).toMatchObject({ verdict: 'ok' });
  });

  it.each([
    ['TOPIC_FORBIDDEN', 'The topic of its will is outside its own prefix.'],
    ['CLIENT_ID', 'The client id is longer than 128 characters, or empty without a clean session.'],
    ['SUSPENDED', 'The device was suspended.'],
  ])('says why a connection was refused: %s', async (reason, why) => {
    const { id } = await at.device();
    await presence(id, { rejected_at: ago(minuteMs), rejected_reason: reason });
    const text = `The device is not connected. A connection was refused: ${why}`;
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'fail', text });
    await presence(id, { ...connected, since: ago(0) });
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'ok' });
  });

  it('recognizes a device that uses HTTP and keeps no connection', async () => {
    const { id } = await at.device();
    const spokeAt = ago(minuteMs);
    await presence(id, { last_message_at: spokeAt });
    const text = 'The device uses HTTP and keeps no connection open.';
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'ok', text, at: spokeAt.toISOString() });
    // The device polled for commands for a while.
    await presence(id, { seen_at: ago(hourMs), since: ago(hourMs), protocol: 'http', reason: 'CLOSED' });
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'ok', text });
    await presence(id, { protocol: 'mqtt' });
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'fail' });
  });

  it('reports a rejected message until another one is accepted', async () => {
    const { id } = await at.device();
    const refused = {
      message_refused_topic: 'state',
      message_refused_text: 'The payload is not valid JSON.',
    };
    const refusedAt = ago(minuteMs);
    await presence(id, {
      ...connected,
      ...refused,
      message_refused_at: refusedAt,
      last_message_at: refusedAt,
    });
    expect(await layerOf(id, 'messages')).toMatchObject({
      verdict: 'fail',
      text: 'The last message was rejected. state: The payload is not valid JSON.',
      at: refusedAt.toISOString(),
    });
    await presence(id, { last_message_at: ago(0) });
    expect(await layerOf(id, 'messages')).toMatchObject({
      verdict: 'ok',
      text: 'The last message was received. An earlier one was rejected. state: The payload is not valid JSON.',
    });
  });

  it('reports a rejected subscription until the device reconnects', async () => {
    const { id } = await at.device();
    const refused = { subscription_refused_at: ago(minuteMs), subscription_refused_filter: '#' };
    await presence(id, { ...connected, ...refused });
    const text = 'A subscription was rejected: #.';
    expect(await layerOf(id, 'subscriptions')).toMatchObject({ verdict: 'warn', text });
    await presence(id, { since: ago(0) });
    expect(await layerOf(id, 'subscriptions')).toMatchObject({ verdict: 'ok' });
  });

  it.each([
    [
      'SILENT',
      'The device is not connected. The device was silent for one and a half times its keep-alive interval.',
    ],
    ['RATE_EXCEEDED', 'The device is not connected. The device exceeded its message rate for too long.'],
    ['of a later version', 'The device is not connected.'],
  ])('says why the device is disconnected: %s', async (reason, text) => {
    const { id } = await at.device();
    await presence(id, { seen_at: ago(hourMs), since: ago(hourMs), reason });
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'fail', text: text.trim() });
  });

  it('says how the device is connected, and reports excess connections', async () => {
    const { id } = await at.device();
    await presence(id, connected);
    const text = 'The device is connected over MQTT from 203.0.113.7.';
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'ok', text });
    await presence(id, { rejected_at: at.world.now(), rejected_reason: 'DISPLACED' });
    expect(await layerOf(id, 'connected')).toMatchObject({
      verdict: 'warn',
      text: 'The device is connected. A connection was closed: It was silent the longest of four when the device opened a fifth under another client id.',
    });
    await presence(id, { rejected_at: ago(2 * dayMs), since: ago(3 * dayMs) });
    expect(await layerOf(id, 'connected')).toMatchObject({ verdict: 'ok', text });
  });

  it('says whether messages arrive', async () => {
    const { id } = await at.device();
    await presence(id, connected);
    expect(await layerOf(id, 'messages')).toMatchObject({ verdict: 'warn' });
    await presence(id, { last_message_at: ago(2 * dayMs) });
    expect(await layerOf(id, 'messages')).toMatchObject({ verdict: 'warn' });
    await presence(id, { last_message_at: ago(minuteMs) });
    expect(await layerOf(id, 'messages')).toMatchObject({ verdict: 'ok' });
  });

  it('says whether the device sends too much', async () => {
    const { id } = await at.device();
    await presence(id, { ...connected, limited_at: ago(hourMs) });
    expect(await layerOf(id, 'rate')).toMatchObject({ verdict: 'warn' });
    await presence(id, { limited_at: ago(2 * dayMs) });
    expect(await layerOf(id, 'rate')).toMatchObject({ verdict: 'ok' });
    await presence(id, { seen_at: ago(hourMs), reason: 'RATE_EXCEEDED' });
    expect(await layerOf(id, 'rate')).toMatchObject({ verdict: 'fail' });
  });

  it('counts the device’s messages of the last day that violated a schema', async () => {
    const { id: deviceClass } = await at.deviceClass({ stateSchema: true });
    const [device, other] = await Promise.all([at.device({ deviceClass }), at.device({ deviceClass })]);
    for (const [i, [deviceId, time]] of [
      [device.id, ago(minuteMs)],
      [device.id, ago(2 * dayMs)],
      [other.id, ago(minuteMs)],
    ].entries())
      await at.world.platform.db.run(sql`
        insert into quarantine (project_id, device_class, ts, id, device_id, kind, payload, faults)
        values (${at.projectId}, ${deviceClass}, ${time}, ${`qrt_${i}`}, ${deviceId}, 'state', '{}', '[]')`);
    expect(await layerOf(device.id, 'schema')).toMatchObject({
      verdict: 'warn',
      text: 'In the last 24 hours, 1 message violated a schema of the class and was quarantined.',
    });
  });

  it('says when the last of very many messages violated a schema', async () => {
    const { id: deviceClass } = await at.deviceClass({ stateSchema: true });
    const { id } = await at.device({ deviceClass });
    const first = ago(60 * minuteMs);
    await at.world.platform.db.run(sql`
      insert into quarantine (project_id, device_class, ts, id, device_id, kind, payload, faults)
      select ${at.projectId}, ${deviceClass}, ${first}::timestamptz + n * interval '1 s', 'qrt_' || lpad(n::text, 4, '0'),
        ${id}, 'state', '{}', '[]' from generate_series(1, 1100) n`);
    expect((await layerOf(id, 'schema'))?.at).toBe(new Date(first.getTime() + 1_100_000).toISOString());
  });

  it('reports commands that are stuck', async () => {
    const { id } = await at.device();
    const command = (stage: string, time: Date) =>
      at.world.platform.db.run(sql`
        insert into device_commands (project_id, device_id, id, name, args, stage, sent_by, created_at, expires_at, sent_at)
        values (${at.projectId}, ${id}, ${at.world.platform.newId('cmd')}, 'blink', '{}', ${stage}, '{}', ${time}, ${ago(-dayMs)},
          ${stage === 'queued' ? null : time})`);
    await command('done', ago(hourMs));
    expect(await layerOf(id, 'commands')).toMatchObject({ verdict: 'ok', text: 'No commands are waiting.' });
    await command('sent', ago(1000));
    expect(await layerOf(id, 'commands')).toMatchObject({
      verdict: 'ok',
      text: 'Waiting for the answer to 1 command.',
    });
    await command('queued', ago(2 * minuteMs));
    expect(await layerOf(id, 'commands')).toMatchObject({
      text: 'Queued until the device connects: 1 command.',
    });
    await presence(id, connected);
    expect(await layerOf(id, 'commands')).toMatchObject({ verdict: 'fail' });
    await command('acknowledged', ago(2 * minuteMs));
    expect(await layerOf(id, 'commands')).toMatchObject({
      verdict: 'warn',
      text: '1 command got no answer.',
    });
  });
});
