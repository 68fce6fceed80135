import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#contract/client.ts';
import { readCommand, sendCommand } from '#contract/command.ts';
import { type Device, readDevice } from '#contract/device.ts';
import { listConnections } from '#contract/presence.ts';
import { createProject } from '#contract/project.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { aDevice } from '#test/devices.ts';
import { type MqttDevice, mqttDevice } from '#test/mqttDevice.ts';
import { aNatsServer, type NatsServer, natsServerPath } from '#test/natsServer.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';

interface Process {
  server: ServerProcess;
  mqtt: string;
}

describe.skipIf(!natsServerPath)(
  'two gateway processes on one database (skipped if nats-server is not installed)',
  () => {
    let database: TestDatabase;
    let nats: NatsServer;
    let dataDir: string;
    let one: Process;
    let other: Process;
    let owner: Newcomer;
    let client: Client;
    let projectId: string;

    async function aProcess(): Promise<Process> {
      const port = await freePort();
      const server = await startMooring({
        DATABASE_URL: database.url,
        NATS_URL: nats.url,
        DATA_DIR: dataDir,
        MQTT_PORT: String(port),
      });
      return { server, mqtt: `mqtt://127.0.0.1:${port}` };
    }

    beforeAll(async () => {
      database = await testDatabase();
      nats = await aNatsServer();
      dataDir = mkdtempSync(join(tmpdir(), 'mooring-two-'));
      one = await aProcess();
      other = await aProcess();
      owner = await newcomer(one.server.url, 'two@example.com');
      client = owner.client;
      projectId = (await client.call(createProject, { body: { name: 'Two' } })).id;
    });
    afterAll(async () => {
      await one.server.stop();
      await other.server.stop();
      await nats.stop();
      await database.end();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const device = () => aDevice(owner, projectId);
    const read = (deviceId: string) => client.call(readDevice, { params: { deviceId } });
    const untilReason = (deviceId: string, reason: string, tries = 3): Promise<Device> =>
      until(async () => {
        const now = await read(deviceId);
        return now.connection.reason === reason ? now : undefined;
      }).catch(error => {
        if (tries === 0) throw error;
        return untilReason(deviceId, reason, tries - 1);
      });

    it('act as one: a command sent at one reaches a device at the other, and the answer reaches the waiting caller', async () => {
      const { id: deviceId, apiKey } = await device();
      await using there = await mqttDevice(other.mqtt, { id: deviceId, apiKey });
      await there.listen('commands/+');
      expect((await read(deviceId)).connectionStatus).toBe('connected');
      const command = await client.call(sendCommand, { params: { deviceId }, body: { name: 'blink' } });
      const waiting = client.call(readCommand, {
        params: { deviceId, commandId: command.id },
        query: { waitMs: 20_000 },
      });
      await there.next('commands/blink');
      await there.say(`results/${command.id}`, { ok: true });
      expect((await waiting).stage).toBe('done');
    });

    it('act as one: a device that reconnects at the other takes over its connection', async () => {
      const { id, apiKey } = await device();
      await using older = await mqttDevice(one.mqtt, { id, apiKey }, { clientId: 'same' });
      await using newer = await mqttDevice(other.mqtt, { id, apiKey }, { clientId: 'same' });
      await older.ended();
      await newer.say('events/here', {});
      expect((await read(id)).connectionStatus).toBe('connected');
      expect(await client.call(listConnections, { params: { deviceId: id } })).toHaveLength(1);
    });

    it('both end a device’s last two connections, and the device is disconnected', async () => {
      const { id, apiKey } = await device();
      for (let i = 0; i < 5; i++) {
        const all: MqttDevice[] = [];
        for (const [at, { mqtt }] of [one, other].entries())
          all.push(await mqttDevice(mqtt, { id, apiKey }, { clientId: `c${at}` }));
        await Promise.all(all.map(each => each.client.endAsync()));
        await untilReason(id, 'CLOSED');
        await until(async () => ((await read(id)).connectionStatus === 'disconnected' ? true : undefined));
      }
    });

    it('act as one: if one fails, its devices are disconnected within half a minute and can reconnect at the other', async () => {
      const { id, apiKey } = await device();
      await using there = await mqttDevice(other.mqtt, { id, apiKey });
      other.server.child.kill('SIGKILL');
      await there.ended();
      expect((await untilReason(id, 'GATEWAY_LOST')).connectionStatus).toBe('disconnected');
      await using here = await mqttDevice(one.mqtt, { id, apiKey });
      await here.say('events/back', {});
      expect((await read(id)).connectionStatus).toBe('connected');
    });
  },
);
