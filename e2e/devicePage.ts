import type { Locator } from '@playwright/test';
import { createDevice, type Device } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { readGateway } from '#contract/gateway.ts';
import type { Project } from '#contract/project.ts';
import { type MqttDevice, mqttDevice } from '#test/mqttDevice.ts';
import type { Newcomer } from '#test/newcomer.ts';

export const classAddress = ({ id }: Project, part = '') => `/projects/${id}/device_classes${part}`;
export const deviceAddress = ({ projectId, id }: Device, part = '') =>
  `/projects/${projectId}/devices/${id}${part}`;

export async function aClass(
  { client }: Newcomer,
  { id: projectId }: Project,
  given: Partial<BodyOf<typeof createDeviceClass>> = {},
): Promise<string> {
  const body = { id: 'thermostat', ...given };
  return (await client.call(createDeviceClass, { params: { projectId }, body })).id;
}

export function aDevice(
  { client }: Newcomer,
  { id: projectId }: Project,
  given: Partial<BodyOf<typeof createDevice>> = {},
): Promise<Device> {
  return client.call(createDevice, {
    body: { projectId, deviceClass: 'thermostat', tag: 'hall-01', ...given },
  });
}

/** The hardware, on the gateway that the platform says it has. */
export async function connected({ client }: Newcomer, { id, apiKey = '' }: Device): Promise<MqttDevice> {
  const { mqtt } = await client.call(readGateway, {});
  return mqttDevice(`mqtt://${mqtt?.host}:${mqtt?.port}`, { id, apiKey });
}

/** As somebody would who selects all and types: an editor is no field that could be filled. */
export async function rewrite(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}
