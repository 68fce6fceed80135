import { describe, expect, it } from 'vitest';
import { type Command, cancelCommand, listCommands, readCommand, sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, type Identity, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

const send = ({ id: deviceId }: { id: string }, body: Partial<BodyOf<typeof sendCommand>> = {}) =>
  at.owner.client.call(sendCommand, { params: { deviceId }, body: { name: 'blink', ...body } });
const read = ({ deviceId, id: commandId }: Command, waitMs = 0) =>
  at.owner.client.call(readCommand, { params: { deviceId, commandId }, query: { waitMs } });
const untilStage = (command: Command, stage: Command['stage']) =>
  until(async () => {
    const now = await read(command);
    return now.stage === stage ? now : undefined;
  });
const cancel = ({ deviceId, id: commandId }: Command) =>
  at.owner.client.call(cancelCommand, { params: { deviceId, commandId } });

/** A device that does not acknowledge automatically. */
async function silentDevice(device: Identity, qos: 0 | 1 = 1) {
  const raw = await rawDevice(at.url);
  raw.send(connectPacket(device));
  await raw.next('connack');
  raw.send({ type: 'subscribe', packetId: 1, subscriptions: [{ filter: `d/${device.id}/commands/+`, qos }] });
  await raw.next('suback');
  return raw;
}

describe('a command', () => {
  it('is delivered to its device and is done when the device says so', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('commands/+');
    const command = await send(device, { args: { n: 3 } });
    expect(command).toMatchObject({ stage: 'sent', name: 'blink', args: { n: 3 } });
    const { payload, topic } = await here.next('commands/blink');
    expect(topic).toBe('commands/blink');
    expect(payload).toEqual({ id: command.id, args: { n: 3 }, expiresAt: command.expiresAt });
    await untilStage(command, 'acknowledged');
    const waiting = read(command, 30_000);
    await here.say(`results/${command.id}`, { ok: true, result: { blinked: 3 } });
    expect(await waiting).toMatchObject({ stage: 'done', result: { blinked: 3 } });
    for (const text of ['sent', 'received by the device', 'done'])
      await at.untilLogged(device, `Command blink ${text}`);
  });

  it('that the device could not execute has failed, with the reason', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('#');
    const command = await send(device);
    await here.next('commands/blink');
    await here.say(`results/${command.id}`, { ok: false, error: 'No lamp' });
    expect(await untilStage(command, 'failed')).toMatchObject({ error: 'No lamp' });
  });

  it('waits for an offline device, and waiting commands are delivered in order', async () => {
    const device = await at.device();
    const sent: Command[] = [];
    for (let n = 0; n < 70; n++) sent.push(await send(device, { args: { n } }));
    await using here = await at.connect(device);
    await here.listen('commands/blink');
    await until(() => (here.heard.length === 70 ? true : undefined));
    expect(here.heard.map(({ payload }) => (payload as { id: string }).id)).toEqual(sent.map(({ id }) => id));
  });

  it('is not sent until the device subscribes to it', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('commands/other');
    const command = await send(device);
    await here.listen('commands/+');
    await here.next('commands/blink');
    await untilStage(command, 'acknowledged');
  });

  it('is sent first, and acknowledged only when the device confirms it', async () => {
    const device = await at.device();
    await using raw = await silentDevice(device);
    const command = await send(device);
    const publish = await raw.next('publish');
    expect(await read(command)).toMatchObject({ stage: 'sent' });
    if (publish.type !== 'publish') throw new Error('no PUBLISH');
    raw.send({ type: 'puback', packetId: publish.packetId ?? 0 });
    expect((await untilStage(command, 'acknowledged')).acknowledgedAt).toBeDefined();
  });

  it('is delivered again on the next connection until it is acknowledged', async () => {
    const device = await at.device();
    const first = await silentDevice(device);
    const command = await send(device);
    await first.next('publish');
    first.socket.destroy();
    await using second = await silentDevice(device);
    const again = await second.next('publish');
    if (again.type !== 'publish') throw new Error('no PUBLISH');
    second.send({ type: 'puback', packetId: again.packetId ?? 0 });
    await untilStage(command, 'acknowledged');
    second.socket.destroy();
    await using third = await silentDevice(device);
    const other = await send(device, { name: 'other' });
    const [next] = [await third.next('publish')];
    expect(next.type === 'publish' && JSON.parse(Buffer.from(next.payload).toString()).id).toBe(other.id);
  });

  it('at QoS 0 remains sent until it is answered', async () => {
    const device = await at.device();
    await using raw = await silentDevice(device, 0);
    const command = await send(device);
    const publish = await raw.next('publish');
    expect(publish).toMatchObject({ qos: 0 });
    expect((await read(command)).stage).toBe('sent');
  });

  it('is delivered to all connections of its device, and the first answer counts', async () => {
    const device = await at.device();
    await using one = await at.connect(device, { clientId: 'one' });
    await using two = await at.connect(device, { clientId: 'two' });
    for (const here of [one, two]) await here.listen('commands/+');
    const command = await send(device);
    await Promise.all([one.next('commands/blink'), two.next('commands/blink')]);
    await one.say(`results/${command.id}`, { ok: true, result: 1 });
    await two.say(`results/${command.id}`, { ok: false, error: 'late' });
    expect(await read(command)).toMatchObject({ stage: 'done', result: 1 });
  });

  it('that was not answered in time has expired, and a late answer is stored and shown as late', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('commands/+');
    const command = await send(device, { ttlS: 60 });
    await here.next('commands/blink');
    at.world.pass(2 * minuteMs);
    await untilStage(command, 'expired');
    await here.say(`results/${command.id}`, { ok: true, result: { blinked: 5 } });
    const late = await read(command);
    expect(late).toMatchObject({ stage: 'expired', result: { blinked: 5 } });
    expect(late.answeredLateAt && late.answeredLateAt > late.expiresAt).toBe(true);
    await at.untilLogged(device, 'Command blink answered after it had expired');
  });

  it('that has expired can be answered repeatedly, and the first answer counts', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    const command = await send(device, { ttlS: 60 });
    at.world.pass(2 * minuteMs);
    await untilStage(command, 'expired');
    for (let i = 0; i < 5; i++) await here.say(`results/${command.id}`, { ok: true, result: i });
    await at.untilLogged(device, 'answered after it had expired');
    expect(await read(command)).toMatchObject({ stage: 'expired', result: 0 });
    const lines = (await at.logOf(device)).filter(({ text }) => text.includes('after it had expired'));
    expect(lines).toHaveLength(1);
  });

  it('of another device cannot be answered, and the device that tries is told so', async () => {
    const device = await at.device();
    const other = await send(await at.device());
    await using here = await at.connect(device);
    await here.listen('rejected');
    await here.say(`results/${other.id}`, { ok: true });
    expect((await here.next('rejected')).payload).toMatchObject({ reason: 'COMMAND_NOT_FOUND' });
    expect((await read(other)).stage).toBe('queued');
  });
});

describe('cancelling a command', () => {
  it('works until the command is sent', async () => {
    const device = await at.device();
    const command = await send(device);
    await cancel(command);
    expect(await read(command)).toMatchObject({ stage: 'cancelled' });
    await failing(cancel(command), 'COMMAND_SENT');
    await using here = await at.connect(device);
    await here.listen('commands/+');
    const next = await send(device);
    expect((await here.next('commands/blink')).payload).toMatchObject({ id: next.id });
    await failing(cancel(next), 'COMMAND_SENT');
    await failing(cancel({ ...next, id: 'cmd_none' }), 'COMMAND_NOT_FOUND');
  });

  it('holds even if a notice arrives later', async () => {
    const device = await at.device();
    const command = await send(device);
    await using here = await at.connect(device);
    await cancel(command);
    await here.listen('#');
    const { id, args, expiresAt } = command;
    notifyDevice(at.world.platform, device.id, {
      kind: 'command',
      name: 'blink',
      frame: { id, args, expiresAt },
      isSent: false,
    });
    const next = await send(device);
    expect((await here.next('commands/blink')).payload).toMatchObject({ id: next.id });
  });

  it('has one clear outcome if the command is being sent', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('commands/+');
    for (let i = 0; i < 20; i++) {
      const command = await send(device);
      const isCancelled = await cancel(command).then(
        () => true,
        () => false,
      );
      await here.say('events/done', {});
      const { stage } = await read(command);
      expect(stage === 'cancelled').toBe(isCancelled);
      const came = here.heard.some(({ payload }) => (payload as { id: string }).id === command.id);
      if (isCancelled) expect(came).toBe(false);
    }
  });
});

describe('a command is refused', () => {
  it('if it violates the schema of its class', async () => {
    const commandSchemas = {
      blink: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    };
    const { id: deviceClass } = await at.deviceClass({ commandSchemas });
    const device = await at.device({ deviceClass });
    const refused = await failing(send(device, { args: { n: 1.5 } }), 'SCHEMA_BROKEN');
    expect(refused.context).toMatchObject({ faults: [{ at: '/n' }] });
    await failing(send(device), 'SCHEMA_BROKEN');
    await send(device, { args: { n: 1 } });
    await send(device, { name: 'other', args: 'anything' });
  });

  it('if it is too large, or its device is suspended or does not exist', async () => {
    const device = await at.device();
    await failing(send(device, { args: 'x'.repeat(64 * 1024) }), 'TOO_LARGE');
    await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { suspended: true } });
    await failing(send(device), 'DEVICE_SUSPENDED');
    await failing(send({ id: 'dev_none' }), 'DEVICE_NOT_FOUND');
  });

  it('if a thousand are already waiting, even with concurrent calls', async () => {
    const device = await at.device();
    await at.world.platform.db.run(sql`
      insert into device_commands (project_id, device_id, id, name, args, sent_by, created_at, expires_at)
      select ${at.projectId}, ${device.id}, 'cmd_' || n, 'x', '{}', '{}', now(), now() + interval '1 d'
      from generate_series(1, 990) n`);
    const { answers, reasons } = await atOnce(20, () => send(device));
    expect(answers).toHaveLength(10);
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_COMMANDS']));
  });
});

describe('the list of commands', () => {
  it('is paged, newest first, and filtered by stage and name', async () => {
    const device = await at.device();
    const sent: Command[] = [];
    for (const name of ['alpha', 'beta', 'gamma']) sent.push(await send(device, { name }));
    await cancel(sent[0] as Command);
    const list = (query = {}) =>
      at.owner.client.call(listCommands, { params: { deviceId: device.id }, query });
    expect((await list()).items.map(({ name }) => name)).toEqual(['gamma', 'beta', 'alpha']);
    expect(await list({ limit: 1, skip: 1, sortBy: 'createdAt:asc' })).toMatchObject({
      total: 3,
      items: [{ name: 'beta' }],
    });
    expect(await list({ stage: 'cancelled' })).toMatchObject({ total: 1, items: [{ name: 'alpha' }] });
    expect(await list({ search: 'GAMMA' })).toMatchObject({ total: 1 });
  });
});
