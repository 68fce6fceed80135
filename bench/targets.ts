import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createChannel, editChannel } from '#contract/channel.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { newcomer, password } from '#test/newcomer.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import { identitiesAt } from '../simulators/fleet/identities.ts';
import { readOptions } from '../simulators/fleet/options.ts';
import { signIn } from '../simulators/fleet/signIn.ts';
import { LoadDevice } from './gateway/loadDevice.ts';
import { percentile, report } from './report.ts';
import { aBundleOf, deviceClass } from './rollouts/aBundleOf.ts';

const devicesDefault = 10_000;
const connectAtOnce = 50;
const barS = 30;

/** `[devices]`: how long it takes until each connected device of a channel has received its target. */
export async function run([count = String(devicesDefault)]: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const mqttPort = await freePort();
  const mooring = await startMooring({ DATA_DIR: dataDir, MQTT_PORT: String(mqttPort) });
  const { client, email } = await newcomer(mooring.url, 'bench@example.com');
  const { id: projectId } = await client.call(createProject, { body: { name: 'Bench' } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: deviceClass } });
  const { id: channelId } = await client.call(createChannel, { body: { projectId, deviceClass } });
  const bundle = await aBundleOf(client, projectId, '1.0');
  const desk = await signIn(
    readOptions(['--url', mooring.url, '--email', email, '--password', password], {}),
  );
  if (!desk) throw new Error('Nobody is signed in.');
  const identities = await identitiesAt(desk, { projectId, deviceClass }, Number(count));
  const heardMs = new Map<string, number>();
  const devices: LoadDevice[] = [];
  for (let at = 0; at < identities.length; at += connectAtOnce)
    devices.push(
      ...(await Promise.all(
        identities.slice(at, at + connectAtOnce).map(async ({ id, apiKey: key }) => {
          const device = await LoadDevice.connect(mqttPort, { id, key });
          device.onPublish = (_, payload) => {
            if (Buffer.from(payload).includes(bundle.id)) heardMs.set(id, performance.now());
          };
          await device.subscribe(`d/${id}/target`);
          return device;
        }),
      )),
    );
  const beganMs = performance.now();
  await client.call(editChannel, { params: { channelId }, body: { bundleId: bundle.id } });
  const answeredMs = performance.now() - beganMs;
  while (heardMs.size < identities.length) await wait(20);
  const afterS = [...heardMs.values()].map(ms => (ms - beganMs) / 1000);
  for (const device of devices) device.end();
  await mooring.stop();
  rmSync(dataDir, { recursive: true, force: true });
  const shown = (s: number) => `${s.toFixed(2)} s`;
  report({
    title: 'Firmware: a channel notifies its devices of a new target',
    command: `npm run bench -- targets ${count}`,
    head: ['connected devices', 'the call answers', 'half notified', '99 % notified', 'all notified', 'bar'],
    rows: [
      [
        Number(count).toLocaleString('en'),
        shown(answeredMs / 1000),
        shown(percentile(afterS, 0.5)),
        shown(percentile(afterS, 0.99)),
        shown(Math.max(...afterS)),
        `≤ ${barS} s for 10,000`,
      ],
    ],
    notes: [
      'Over MQTT, since the call that points the channel. The devices share the cores with the server.',
    ],
  });
}
