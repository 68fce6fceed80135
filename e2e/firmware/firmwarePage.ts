import { type Bundle, createBundle } from '#contract/bundle.ts';
import { createComponent, listComponents } from '#contract/component.ts';
import {
  completeVersionUpload,
  createComponentVersion,
  readComponentVersion,
  startVersionUpload,
} from '#contract/componentVersion.ts';
import type { TargetFrame } from '#contract/deviceFrames.ts';
import type { Project } from '#contract/project.ts';
import type { MqttDevice } from '#test/mqttDevice.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { until } from '#test/until.ts';

export const channelAddress = ({ id }: Project, part = '') => `/projects/${id}/channels${part}`;

/** A bundle for a class with a version of the first component, or of `main`, uploaded as a developer would. */
export async function aBundle(
  { client }: Newcomer,
  { id: projectId }: Pick<Project, 'id'>,
  url: string,
  name: string,
  version: string,
  deviceClass = 'thermostat',
): Promise<Bundle> {
  const known = await client.call(listComponents, { query: { projectId } });
  const component =
    known.items[0] ?? (await client.call(createComponent, { body: { projectId, name: 'main' } }));
  const versionId = await aReadyVersion(client, url, component.id, version);
  const made = { projectId, deviceClass, name, componentVersionIds: [versionId] };
  return client.call(createBundle, { body: made });
}

/** A version of a component with its file, uploaded as a developer would. */
export async function aReadyVersion(
  client: Newcomer['client'],
  url: string,
  componentId: string,
  name: string,
): Promise<string> {
  const { id: versionId } = await client.call(createComponentVersion, { body: { componentId, name } });
  const bytes = Buffer.from(`${componentId} ${name}`);
  const upload = await client.call(startVersionUpload, {
    params: { versionId },
    body: { filename: 'main.bin', bytes: bytes.length },
  });
  for (const part of upload.urls) await fetch(new URL(part, url), { method: 'PUT', body: bytes });
  await client.call(completeVersionUpload, { params: { versionId, uploadId: upload.uploadId }, body: {} });
  await until(async () => {
    const { state } = await client.call(readComponentVersion, { params: { versionId } });
    return state === 'ready' || undefined;
  });
  return versionId;
}

/** The next target that the hardware receives. */
export async function nextTarget(hardware: MqttDevice): Promise<TargetFrame> {
  return (await hardware.next('target')).payload as TargetFrame;
}

/** Reports a target as installed. */
export async function install(
  hardware: MqttDevice,
  { sequence, bundleId, components }: TargetFrame,
): Promise<void> {
  await hardware.say('progress', { state: 'downloading', sequence, percent: 50 });
  await hardware.say('installed', {
    bundleId,
    sequence,
    components: components.map(({ component, version }) => ({ component, version })),
  });
}
