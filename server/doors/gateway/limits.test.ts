import { describe, expect, it } from 'vitest';
import { checkDevice } from '#contract/deviceHealth.ts';
import { editProject } from '#contract/project.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aDevice } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, type Identity, type RawDevice, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld({ RATE_LIMITS: 'on' });

async function connected(device: Identity): Promise<RawDevice> {
  const raw = await rawDevice(at.url);
  raw.send(connectPacket(device));
  await raw.next('connack');
  return raw;
}

const event = ({ id }: Identity, packetId: number) => ({
  type: 'publish' as const,
  topic: `d/${id}/events/tick`,
  payload: Buffer.from(`${packetId}`),
  qos: 1 as const,
  packetId,
  retain: false,
  dup: false,
});
const acknowledged = (raw: RawDevice) => raw.heard.filter(({ type }) => type === 'puback').length;

describe.concurrent('messages over the rate', () => {
  it('are held back, and none is lost', async () => {
    const device = await at.device();
    await using raw = await connected(device);
    // So far above the burst that even a busy machine receives them faster than the rate allows.
    raw.send(...Array.from({ length: 240 }, (_, i) => event(device, i + 1)));
    await until(() => (acknowledged(raw) === 240 ? true : undefined));
    expect(await at.eventsOf(device)).toHaveLength(100);
    await at.untilLogged(device, 'Messages exceed the rate limit and are held back');
    const { layers } = await at.owner.client.call(checkDevice, { params: { deviceId: device.id } });
    expect(layers.find(({ id }) => id === 'rate')).toMatchObject({ verdict: 'warn' });
  });

  it('for too long end the connection, without effect on another device', async () => {
    const [device, other] = [await at.device(), await at.device()];
    await using bystander = await at.connect(other);
    await using raw = await connected(device);
    raw.send(...Array.from({ length: 5_000 }, () => ({ ...event(device, 0), qos: 0 as const })));
    await bystander.say('events/still', {});
    await raw.ended();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('RATE_EXCEEDED');
    expect((await at.eventsOf(device)).length).toBeLessThan(500);
  });

  it('are only delayed if the device awaits acknowledgements', async () => {
    const device = await at.device();
    await using raw = await connected(device);
    // Enough for more than ten seconds.
    raw.send(...Array.from({ length: 340 }, (_, i) => event(device, i + 1)));
    for (const count of [180, 260, 340]) await until(() => (acknowledged(raw) >= count ? true : undefined));
    expect(await at.read(device)).toMatchObject({ connectionStatus: 'connected' });
  });

  it('are measured by the rate of the project, which also applies to connected devices when it changes', async () => {
    const owner = at.owner.client;
    const { id: projectId } = await at.world.aProject(at.owner);
    const device = await aDevice(at.owner, projectId);
    const params = { projectId };
    await owner.call(editProject, { params, body: { deviceMessageRate: 2 } });
    await using raw = await connected(device);
    raw.send(...Array.from({ length: 30 }, (_, i) => event(device, i + 1)));
    await until(() => (acknowledged(raw) >= 10 ? true : undefined));
    expect(acknowledged(raw)).toBeLessThan(20);
    await owner.call(editProject, { params, body: { deviceMessageRate: 1000 } });
    // The sweep would apply the new rate later; any notice about the device applies it at once.
    notifyDevice(at.world.platform, device.id, { kind: 'access' });
    raw.send(...Array.from({ length: 500 }, (_, i) => event(device, 31 + i)));
    await until(() => (acknowledged(raw) === 530 ? true : undefined));
  });

  it('are also held back after a reconnection, and count together with HTTP calls', async () => {
    const device = await at.device();
    const all = Array.from({ length: 300 }, (_, i) => event(device, i + 1));
    {
      await using raw = await connected(device);
      raw.send(...all.slice(0, 90));
      await until(() => (acknowledged(raw) === 90 ? true : undefined));
      raw.send({ type: 'disconnect' });
      await raw.ended();
    }
    {
      await using raw = await connected(device);
      raw.send(...all);
      await at.untilLogged(device, 'Messages exceed the rate limit and are held back');
    }
    await at.untilIs(device, 'disconnected');
    const authorization = `Basic ${Buffer.from(`${device.id}:${device.apiKey}`).toString('base64')}`;
    const answers = await Promise.all(
      Array.from({ length: 300 }, () =>
        fetch(`${at.world.url}/device/v1/target`, { headers: { authorization } }),
      ),
    );
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });

  it('over HTTP are rejected with the time to retry', async () => {
    const device = await at.device();
    const authorization = `Basic ${Buffer.from(`${device.id}:${device.apiKey}`).toString('base64')}`;
    const call = () =>
      fetch(`${at.world.url}/device/v1/events/tick`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '1',
      });
    const answers = await Promise.all(Array.from({ length: 300 }, call));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const kept = await at.world.platform.db.many(
      sql`select 1 from device_events where device_id = ${device.id}`,
    );
    expect(kept).toHaveLength(answers.filter(({ status }) => status === 204).length);
  });
});

describe.concurrent('a device that does not read', () => {
  it('is sent no more than the limit of unread bytes, and disconnected', async () => {
    const device = await at.device();
    await at.world.platform.db.run(sql`
      insert into device_commands (project_id, device_id, id, name, args, sent_by, created_at, expires_at)
      select ${at.projectId}, ${device.id}, 'cmd_' || lpad(n::text, 4, '0'), 'load',
        json_build_object('x', repeat('x', 60000)), '{}', now(), now() + interval '1 d'
      from generate_series(1, 600) n`);
    await using raw = await connected(device);
    raw.socket.pause();
    raw.send({ type: 'subscribe', packetId: 1, subscriptions: [{ filter: `d/${device.id}/#`, qos: 0 }] });
    await until(async () => {
      const [row] = await at.world.platform.db.many<{ sent: number }>(sql`
        select count(*)::int as sent from device_commands where device_id = ${device.id} and stage = 'sent'`);
      return row && row.sent > 0 ? true : undefined;
    });
    await at.untilIs(device, 'disconnected').catch(() => at.untilIs(device, 'disconnected'));
    expect((await at.read(device)).connection.reason).toBe('SLOW');
    const [row] = await at.world.platform.db.many<{ sent: number }>(sql`
      select count(*)::int as sent from device_commands where device_id = ${device.id} and stage = 'sent'`);
    expect(row?.sent).toBeLessThan(600);
  });
});

describe.concurrent('a client that guesses keys', () => {
  it('waits longer for each answer, while the device itself can connect', async () => {
    const device = await at.device();
    const guesses = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const raw = await rawDevice(at.url);
        raw.send(connectPacket({ ...device, apiKey: 'guess' }));
        return raw;
      }),
    );
    const answered = () => guesses.filter(({ heard }) => heard.length > 0).length;
    await until(() => (answered() >= 5 ? true : undefined));
    await using here = await at.connect(device);
    await here.say('events/here', {});
    expect(answered()).toBeLessThan(30);
    for (const raw of guesses) raw.socket.destroy();
  });
});

describe.concurrent('a device that reconnects in a loop', () => {
  it('is slowed down, and refused if it continues', async () => {
    const device = await at.device();
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => {
        await using raw = await rawDevice(at.url);
        raw.send(connectPacket(device));
        // A connection that is taken over at once ends without an answer.
        await Promise.race([raw.next('connack').catch(() => undefined), raw.ended()]);
        return raw.heard.flatMap(packet => (packet.type === 'connack' ? [packet.code] : []))[0];
      }),
    );
    expect(codes.filter(code => code === 3).length).toBeGreaterThanOrEqual(10);
    const text =
      'The device connects too often: connections beyond 20 wait for one every 2 s, or are refused';
    await at.untilLogged(device, text);
    // It has sent no message that could have been held back.
    expect((await at.logOf(device)).map(entry => entry.text)).not.toContain(
      'Messages exceed the rate limit and are held back',
    );
  });
});
