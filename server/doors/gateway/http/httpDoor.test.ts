import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { readCommand, sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { readTrafficStats } from '#contract/stats.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aDevice } from '#test/devices.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import type { Identity } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { toHalfPast } from '#test/world.ts';

const at = aGatewayWorld();

async function call(
  device: Identity,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  const authorization = `Basic ${Buffer.from(`${device.id}:${device.apiKey}`).toString('base64')}`;
  const answer = await fetch(`${at.world.url}/device/v1/${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    answer: text === '' ? undefined : JSON.parse(text),
    headers: answer.headers,
  };
}

describe('a device without MQTT', () => {
  it('can send everything by HTTP calls, and shows the time of its last message', async () => {
    const device = await at.device();
    const { id: bundleId } = await aBundle(at.world, device);
    expect((await call(device, 'POST', 'state', '{"t":20}')).status).toBe(204);
    expect((await call(device, 'POST', 'events/door', '{"open":true}')).status).toBe(204);
    const installed = JSON.stringify({ bundleId, components: [] });
    expect((await call(device, 'POST', 'installed', installed)).status).toBe(204);
    expect((await call(device, 'POST', 'progress', '{"state":"done"}')).status).toBe(204);
    expect((await call(device, 'POST', 'entities', '[{"name":"lamp-1","class":"lamp"}]')).status).toBe(204);
    expect(await at.stateOf(device)).toMatchObject({ reported: { t: 20 }, progress: { state: 'done' } });
    expect(await at.eventsOf(device)).toMatchObject([{ name: 'door', payload: { open: true } }]);
    const seen = await until(async () => {
      const now = await at.read(device);
      return now.connection.lastMessageAt ? now : undefined;
    });
    expect(seen).toMatchObject({ connectionStatus: 'never', bundleInstalled: bundleId });
  });

  it('is told which methods a path allows', async () => {
    const device = await at.device();
    const wrong = await call(device, 'PUT', 'state', '{}');
    expect([wrong.status, wrong.answer.reason]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrong.headers.get('allow')).toBe('POST');
    expect((await call(device, 'DELETE', 'config')).headers.get('allow')).toBe('GET, HEAD');
    expect((await call(device, 'PUT', 'nothing', '{}')).status).toBe(404);
  });

  it('gets the headers of GET for HEAD, without fetching a command', async () => {
    const device = await at.device();
    const params = { deviceId: device.id };
    const { id } = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    for (const path of ['desired', 'target', 'config', 'commands']) {
      const { status, headers } = await call(device, 'HEAD', path);
      expect([path, status, headers.get('content-type')]).toEqual([
        path,
        200,
        'application/json; charset=utf-8',
      ]);
    }
    expect((await call({ ...device, apiKey: 'x' }, 'HEAD', 'config')).status).toBe(401);
    expect((await call(device, 'GET', 'commands?waitMs=0')).answer).toMatchObject([{ id }]);
  });

  it('can read its desired state, target and config', async () => {
    const device = await at.device();
    await at.owner.client.call(writeDesired, {
      params: { deviceId: device.id },
      body: { desired: { on: true } },
    });
    expect((await call(device, 'GET', 'desired')).answer).toEqual({ version: 1, desired: { on: true } });
    expect((await call(device, 'GET', 'target')).answer).toBeNull();
    expect((await call(device, 'GET', 'config')).answer).toEqual({});
  });

  it('can wait for a command, and is connected while it waits', async () => {
    const device = await at.device();
    const polling = call(device, 'GET', 'commands');
    await at.untilIs(device, 'connected');
    const params = { deviceId: device.id };
    const { id } = await at.owner.client.call(sendCommand, {
      params,
      body: { name: 'blink', args: { n: 3 } },
    });
    const { answer } = await polling;
    expect(answer).toMatchObject([{ id, name: 'blink', args: { n: 3 } }]);
    const command = () => at.owner.client.call(readCommand, { params: { ...params, commandId: id } });
    expect((await command()).stage).toBe('sent');
    expect((await call(device, 'GET', 'commands?waitMs=0')).answer).toEqual([]);
    expect((await call(device, 'POST', `results/${id}`, '{"ok":true,"result":3}')).status).toBe(204);
    expect(await command()).toMatchObject({ stage: 'done', result: 3 });
    expect((await at.read(device)).connection.protocol).toBe('http');
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('CLOSED');
  });

  it('keeps its HTTP connection beside one over MQTT, whatever its client id', async () => {
    const device = await at.device();
    const polling = call(device, 'GET', 'commands?waitMs=55000');
    await at.untilIs(device, 'connected');
    await using here = await at.connect(device, { clientId: 'http' });
    const rows = await at.world.platform.db.many<{ protocol: string }>(sql`
      select protocol from device_connections where device_id = ${device.id} order by number`);
    expect(rows.map(({ protocol }) => protocol)).toEqual(['http', 'mqtt']);
    const params = { deviceId: device.id };
    const { id } = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    expect((await polling).answer).toMatchObject([{ id }]);
    expect(here.client.connected).toBe(true);
  });

  it('that makes concurrent calls gets each command once', async () => {
    const device = await at.device();
    const params = { deviceId: device.id };
    const { id } = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(device, 'GET', 'commands?waitMs=0')),
    );
    expect(answers.flatMap(({ answer }) => answer)).toMatchObject([{ id }]);
  });

  it('has its fetched commands counted as messages', async () => {
    toHalfPast(at.world);
    const { id: projectId } = await at.world.aProject(at.owner);
    const device = await aDevice(at.owner, projectId);
    const params = { deviceId: device.id };
    await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    expect((await call(device, 'GET', 'commands?waitMs=0')).answer).toHaveLength(2);
    const month = at.world.now().toISOString().slice(0, 7);
    const query = { begin: month, end: month };
    await until(async () => {
      const [now] = await at.owner.client.call(readTrafficStats, { params: { projectId }, query });
      return now?.counts.deviceMessagesOut === 2 || undefined;
    });
  });

  it('whose connection could not be registered can connect with the next call', async () => {
    const device = await at.device();
    const { db } = at.world.platform;
    await db.run(sql`
      create function refuse_one() returns trigger language plpgsql as $$ begin raise 'Not now'; end $$`);
    await db.run(sql`
      create trigger refuse_one before insert on device_connections for each row execute function refuse_one()`);
    expect((await call(device, 'GET', 'commands?waitMs=0')).status).toBe(500);
    await db.run(sql`drop function refuse_one cascade`);
    expect((await call(device, 'GET', 'commands?waitMs=0')).status).toBe(200);
  });

  it('that gave up a call and repeats it gets commands on the newer call, not the older', async () => {
    const device = await at.device();
    const older = call(device, 'GET', 'commands?waitMs=55000');
    await at.untilIs(device, 'connected');
    const newer = call(device, 'GET', 'commands');
    expect((await older).answer).toEqual([]);
    const params = { deviceId: device.id };
    const { id } = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    expect((await newer).answer).toMatchObject([{ id }]);
  });

  it.each([
    ['POST', 'events/door', '{"a":1,}', 400, 'MALFORMED'],
    ['POST', 'events/door', '', 400, 'MALFORMED'],
    ['POST', 'events/a--b', '{}', 400, 'INVALID_FIELDS'],
    ['POST', 'events/a%2Fb', '{}', 404, 'RESOURCE_NOT_FOUND'],
    ['POST', 'state', '[]', 400, 'INVALID_FIELDS'],
    ['POST', 'progress', '{"state":"lost"}', 400, 'INVALID_FIELDS'],
    ['POST', 'results/cmd_none', '{"ok":true}', 404, 'COMMAND_NOT_FOUND'],
    ['POST', 'results/cmd%00', '{"ok":true}', 404, 'RESOURCE_NOT_FOUND'],
    ['POST', 'nowhere', '{}', 404, 'RESOURCE_NOT_FOUND'],
    ['POST', 'state', `{"x":"${'x'.repeat(129 * 1024)}"}`, 413, 'TOO_LARGE'],
    ['POST', 'state', `{"x":"${'x'.repeat(65 * 1024)}"}`, 413, 'TOO_LARGE'],
    ['GET', 'commands?waitMs=99999999', undefined, 400, 'INVALID_FIELDS'],
  ])('gets an error for a wrong call of %s %s: %#', async (method, path, body, status, reason) => {
    const device = await at.device();
    const refused = await call(device, method, path, body);
    expect([refused.status, refused.answer.reason]).toEqual([status, reason]);
  });

  it.each(['dev\0x', 'dev_none', '', 'x'.repeat(500), 'dev_01k9x3m2h4e6d8b0a2c4e6g8j0'])(
    'with an invalid or unknown id is rejected as if the key were wrong: %j',
    async id => {
      // On any pool, because the gateway has its own connections.
      const asked = vi.spyOn(pg.Client.prototype, 'query');
      const wrong = await call({ id, apiKey: 'x' }, 'POST', 'state', '{}');
      expect([wrong.status, wrong.answer.reason]).toEqual([401, 'DEVICE_KEY_WRONG']);
      // Every other query of the server would contain the empty text.
      const isAsked = id !== '' && asked.mock.calls.some(call => JSON.stringify(call[0]).includes(id));
      asked.mockRestore();
      expect(isAsked).toBe(id.length === 30);
    },
  );

  it('is rejected with a wrong key, while suspended, or with a form body', async () => {
    const device = await at.device();
    const wrong = await call({ ...device, apiKey: 'x' }, 'POST', 'state', '{}');
    expect([wrong.status, wrong.answer.reason]).toEqual([401, 'DEVICE_KEY_WRONG']);
    expect(wrong.headers.get('www-authenticate')).toContain('Basic');
    const nobody = await fetch(`${at.world.url}/device/v1/target`);
    expect(nobody.status).toBe(401);
    const form = await call(device, 'POST', 'state', 'a=1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(415);
    await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { suspended: true } });
    const suspended = await call(device, 'POST', 'state', '{}');
    expect([suspended.status, suspended.answer.reason]).toEqual([409, 'DEVICE_SUSPENDED']);
  });
});
