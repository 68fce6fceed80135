import { describe, expect, it } from 'vitest';
import { deleteKvPair, writeKvPair } from '#contract/deviceClass.ts';
import { deleteDeviceKvPair, writeDesired, writeDeviceKvPair } from '#contract/deviceState.ts';
import { createLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

type Json = Record<string, never>;
const desire = ({ id: deviceId }: { id: string }, desired: object) =>
  at.owner.client.call(writeDesired, { params: { deviceId }, body: { desired: desired as Json } });

describe('a value that a device subscribes to', () => {
  it('is sent at once, marked as retained, and again when it changes', async () => {
    const device = await at.device();
    await desire(device, { fan: { on: true } });
    await using here = await at.connect(device);
    await here.listen('desired', 'target');
    expect(await here.next('desired')).toMatchObject({
      payload: { version: 1, desired: { fan: { on: true } } },
      retain: true,
    });
    expect(await here.next('target')).toMatchObject({ payload: null, retain: true });
    await desire(device, { fan: { on: false } });
    expect(await here.next('desired')).toMatchObject({ payload: { version: 2 }, retain: false });
    expect(here.heard.some(({ topic }) => topic === 'delta')).toBe(false);
  });

  it('contains the delta until the device has reported it', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('delta');
    expect((await here.next('delta')).payload).toEqual({ version: 0, delta: {} });
    await desire(device, { fan: { on: true, speed: 2 } });
    expect((await here.next('delta')).payload).toEqual({
      version: 1,
      delta: { fan: { on: true, speed: 2 } },
    });
    await here.say('state', { fan: { on: true } });
    expect((await here.next('delta')).payload).toEqual({ version: 1, delta: { fan: { speed: 2 } } });
    await here.say('state', { fan: { speed: 2 }, other: 1 });
    expect((await here.next('delta')).payload).toEqual({ version: 1, delta: {} });
  });

  it('contains the config of the class, overridden by its own, with values as they were written', async () => {
    const { id: classId } = await at.deviceClass();
    const [one, other] = [
      await at.device({ deviceClass: classId }),
      await at.device({ deviceClass: classId }),
    ];
    const query = { projectId: at.projectId };
    const write = (pairKey: string, value: number) =>
      at.owner.client.call(writeKvPair, { params: { classId, pairKey }, query, body: { value } });
    await write('a', 1);
    await write('b', 2);
    await using here = await at.connect(one);
    await using there = await at.connect(other);
    for (const device of [here, there]) {
      await device.listen('config');
      expect((await device.next('config')).payload).toEqual({ a: 1, b: 2 });
    }
    const params = { deviceId: one.id, pairKey: 'a' };
    await at.owner.client.call(writeDeviceKvPair, { params, body: { value: 'mine' } });
    expect((await here.next('config')).payload).toEqual({ a: 'mine', b: 2 });
    await write('a', 3);
    expect((await there.next('config')).payload).toEqual({ a: 3, b: 2 });
    await at.owner.client.call(deleteDeviceKvPair, { params });
    expect((await here.next('config')).payload).toEqual({ a: 3, b: 2 });
    await at.owner.client.call(deleteKvPair, { params: { classId, pairKey: 'b' }, query });
    for (const device of [here, there]) expect((await device.next('config')).payload).toEqual({ a: 3 });
  });

  it('is sent even if the notice to the gateway was lost', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('#');
    await here.next('desired');
    await here.next('config');
    await at.world.platform.db.run(sql`
      insert into device_states (project_id, device_id, desired, desired_version)
      values (${at.projectId}, ${device.id}, '{"on":true}', 7)`);
    await at.world.platform.db.run(sql`
      insert into device_kv (project_id, device_id, key, value, updated_at)
      values (${at.projectId}, ${device.id}, 'k', '5', now())`);
    await at.world.platform.db.run(sql`
      insert into device_commands (project_id, device_id, id, name, args, sent_by, created_at, expires_at)
      values (${at.projectId}, ${device.id}, 'cmd_1', 'blink', '{}', '{}', now(), now() + interval '1 d')`);
    expect((await here.next('desired')).payload).toEqual({ version: 7, desired: { on: true } });
    expect((await here.next('config')).payload).toEqual({ k: 5 });
    expect((await here.next('commands/blink')).payload).toMatchObject({ id: 'cmd_1' });
  });
});

describe('a log request', () => {
  it('is sent once per connection until it is answered, also to a device that connects later', async () => {
    const params = { projectId: at.projectId };
    await at.owner.client.call(editProject, { params, body: { enableDeviceLogRetrieval: true } });
    const device = await at.device();
    const nowMs = at.world.now().getTime();
    await using here = await at.connect(device);
    await here.listen('logRequests/+');
    const request = await at.owner.client.call(createLogRequest, {
      params: { deviceId: device.id },
      body: {
        start: new Date(nowMs - hourMs).toISOString(),
        end: new Date(nowMs).toISOString(),
        prefixes: ['wifi'],
      },
    });
    expect((await here.next(`logRequests/${request.id}`)).payload).toMatchObject({ prefixes: ['wifi'] });
    await here.client.endAsync();
    await using again = await at.connect(device);
    await again.listen('#');
    await again.next(`logRequests/${request.id}`);
    await again.say(`logRequests/${request.id}/status`, { status: 'nologs' });
    await using last = await at.connect(device);
    await last.listen('#');
    await last.next('desired');
    expect(last.heard.filter(({ topic }) => topic.startsWith('logRequests'))).toEqual([]);
  });
});

describe('a subscription', () => {
  it('is granted only below the device’s own prefix, and QoS 2 is granted as 1', async () => {
    const device = await at.device();
    const other = await at.device();
    await using here = await at.connect(device);
    const own = [`d/${device.id}/#`, `d/${device.id}/commands/+`, `d/${device.id}/+/blink`];
    const foreign = [
      '#',
      '+/+',
      'd/#',
      'd/+/desired',
      `d/${other.id}/#`,
      `d/${device.id}`,
      '$SYS/#',
      `d/${device.id}x/a`,
    ];
    const granted = await here.client
      .subscribeAsync([...own, ...foreign], { qos: 2 })
      .catch(error => error.packet.granted);
    expect(granted).toEqual([...own.map(() => 1), ...foreign.map(() => 128)]);
    await at.untilLogged(device, 'Subscription rejected: #, +/+, d/#');
    await here.say('events/still', {});
  });

  it('is rejected beyond thirty-two per connection', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    const filters = Array.from({ length: 40 }, (_, i) => `d/${device.id}/commands/c${i}`);
    const granted = await here.client
      .subscribeAsync(filters, { qos: 0 })
      .catch(error => error.packet.granted);
    expect(granted).toEqual(filters.map((_, i) => (i < 32 ? 0 : 128)));
  });

  it('ends when the device unsubscribes', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('desired', 'delta');
    await here.next('desired');
    await here.client.unsubscribeAsync(`d/${device.id}/desired`);
    await desire(device, { on: true });
    await until(() => here.heard.find(({ topic, retain }) => topic === 'delta' && !retain));
    expect(here.heard.filter(({ topic }) => topic === 'desired')).toHaveLength(1);
  });
});
