import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { everyCurlSnippet } from '#console/devices/connect/snippetCurl.ts';
import { everyMosquittoSnippet } from '#console/devices/connect/snippetMosquitto.ts';
import { everyPythonSnippet } from '#console/devices/connect/snippetPython.ts';
import { readCommand, sendCommand } from '#contract/command.ts';
import { type Device, readDevice } from '#contract/device.ts';
import {
  listDeviceEntities,
  listDeviceEvents,
  readDeviceState,
  writeDesired,
} from '#contract/deviceState.ts';
import { createLogRequest, readDeviceLogEntries, readLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { gatewayAddresses } from '#server/doors/gateway/addresses/gatewayAddresses.ts';
import { aProjectWorld } from '../projectWorld.ts';
import { until } from '../until.ts';

const at = aProjectWorld({ MQTT_PORT: '0' });

/** Runs the snippets that the console offers to copy, unchanged, with the clients that come with Debian. */
const python = '/usr/bin/python3';
const has = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasMosquitto = has('sh', '-c', 'command -v mosquitto_pub mosquitto_sub curl');
const hasPaho = has(python, '-c', 'import paho.mqtt.client');

beforeAll(async () => {
  await at.owner.client.call(editProject, {
    params: { projectId: at.projectId },
    body: { enableDeviceLogRetrieval: true },
  });
  await at.deviceClass({ id: 'lamp' });
});

const clients = [
  ['mosquitto', hasMosquitto, everyMosquittoSnippet, ['sh', '-c']],
  ['paho', hasPaho, everyPythonSnippet, [python, '-c']],
] as const;

describe.each(clients)('the snippet for %s', (_, isThere, snippet, [command, flag]) => {
  it.runIf(isThere)('sends and answers every kind of message in the protocol', async () => {
    const device = await at.device({ deviceClass: 'lamp' });
    const running = run(command, flag, snippet(given(device)));
    onTestFinished(() => end(running));
    await said(device.id);
    await asked(device.id);
  });
});

it.runIf(hasMosquitto)(
  'the snippet for curl sends and reads everything that works without MQTT',
  async () => {
    const device = await at.device({ deviceClass: 'lamp' });
    const params = { deviceId: device.id };
    const { id: commandId } = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    const running = run('sh', '-c', everyCurlSnippet(given(device)));
    onTestFinished(() => end(running));
    await said(device.id);
    await until(async () => {
      const { stage } = await at.owner.client.call(readCommand, { params: { ...params, commandId } });
      return stage === 'done' || undefined;
    });
  },
);

function given({ id, apiKey = '' }: Device) {
  return { gateway: gatewayAddresses(at.world.platform), deviceId: id, apiKey };
}

/** Runs in its own process group, so that the shell's children end with it. */
function run(command: string, flag: string, script: string): ChildProcess {
  return spawn(command, [flag, script], { detached: true, stdio: 'ignore' });
}

function end({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
}

/** Waits until everything that the device reports has arrived. */
async function said(deviceId: string): Promise<void> {
  const params = { deviceId };
  const now = at.world.now().getTime();
  const query = { begin: new Date(now - dayMs).toISOString(), end: new Date(now + dayMs).toISOString() };
  // Each kind of message is stored separately, in no particular order.
  const state = await until(async () => {
    const { reported, installed, progress } = await at.owner.client.call(readDeviceState, { params });
    return 'temperature' in reported && installed && progress ? { reported, installed, progress } : undefined;
  });
  expect(state).toMatchObject({
    reported: { temperature: 21.5 },
    installed: { components: [{ component: 'main', version: '1.2.0' }] },
    progress: { state: 'downloading', percent: 40 },
  });
  const [entity] = await until(async () => {
    const entities = await at.owner.client.call(listDeviceEntities, { params });
    return entities.length > 0 ? entities : undefined;
  });
  expect(entity).toEqual({ name: 'lamp-1', class: 'lamp', state: { on: true } });
  const [event] = await until(async () => {
    const events = await at.owner.client.call(listDeviceEvents, { params, query });
    return events.length > 0 ? events : undefined;
  });
  expect(event).toMatchObject({ name: 'door', alert: { severity: 'warning', text: 'The door is open.' } });
  const log = await at.owner.client.call(readDeviceLogEntries, { params, query });
  expect(log.filter(({ text }) => text.includes('not taken'))).toEqual([]);
}

/** Checks that messages reach the device and that it answers commands. */
async function asked(deviceId: string): Promise<void> {
  const params = { deviceId };
  await until(async () => {
    const { connectionStatus } = await at.owner.client.call(readDevice, { params });
    return connectionStatus === 'connected' || undefined;
  });
  await at.owner.client.call(writeDesired, { params, body: { desired: { fan: 'off' } } });
  const command = await at.owner.client.call(sendCommand, {
    params,
    body: { name: 'blink', args: { id: 'no' } },
  });
  await until(async () => {
    const { stage } = await at.owner.client.call(readCommand, {
      params: { ...params, commandId: command.id },
    });
    return stage === 'done' || undefined;
  });
  const now = at.world.now().getTime();
  const request = await at.owner.client.call(createLogRequest, {
    params,
    body: { start: new Date(now - dayMs).toISOString(), end: new Date(now).toISOString(), prefixes: [] },
  });
  await until(async () => {
    const { status } = await at.owner.client.call(readLogRequest, {
      params: { ...params, requestId: request.id },
    });
    return status === 'success' || undefined;
  });
}
