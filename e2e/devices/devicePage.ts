import type { Locator, Page } from '@playwright/test';
import { type Channel, createChannel } from '#contract/channel.ts';
import type { Device } from '#contract/device.ts';
import { readGateway } from '#contract/gateway.ts';
import type { Project } from '#contract/project.ts';
import { aClass as makeClass, aDevice as makeDevice } from '#test/devices.ts';
import { type MqttDevice, mqttDevice } from '#test/mqttDevice.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { test as base } from '../world.ts';

export const classAddress = ({ id }: Project, part = '') => `/projects/${id}/device_classes${part}`;
export const deviceAddress = ({ projectId, id }: Device, part = '') =>
  `/projects/${projectId}/devices/${id}${part}`;

/**
 * Opens the page of a device and scrolls to its end, because panels far below the view are drawn only on interaction.
 */
export async function openToEnd(page: Page, device: Device, part = ''): Promise<void> {
  await page.goto(deviceAddress(device, part));
  await page.getByRole('region', { name: 'Presence' }).waitFor();
  await page.keyboard.press('End');
}

interface OfDevices {
  /** A device of class `thermostat` that was never connected, with its key. */
  device: Device & { apiKey: string };
}

/** In these tests, a `project` has the class `thermostat`. */
export const test = base.extend<OfDevices>({
  project: async ({ developer, project }, use) => {
    await aClass(developer, project);
    await use(project);
  },
  device: async ({ developer, project }, use) => use(await aDevice(developer, project)),
});

export const aClass = (
  by: Newcomer,
  { id: projectId }: Project,
  given: Parameters<typeof makeClass>[2] = {},
): ReturnType<typeof makeClass> => makeClass(by, projectId, { id: 'thermostat', ...given });

export const aDevice = (
  by: Newcomer,
  { id: projectId }: Project,
  given: Parameters<typeof makeDevice>[2] = {},
): ReturnType<typeof makeDevice> =>
  makeDevice(by, projectId, { deviceClass: 'thermostat', tag: 'hall-01', ...given });

/** A channel for devices of class `thermostat`. */
export const aChannel = ({ client }: Newcomer, { id: projectId }: Project, name: string): Promise<Channel> =>
  client.call(createChannel, { body: { projectId, deviceClass: 'thermostat', name } });

/** Connects the hardware to the gateway address that the platform returns. */
export async function connected({ client }: Newcomer, { id, apiKey = '' }: Device): Promise<MqttDevice> {
  const { mqtt } = await client.call(readGateway, {});
  return mqttDevice(`mqtt://${mqtt?.host}:${mqtt?.port}`, { id, apiKey });
}

/** Selects all and types, because a code editor cannot be filled like a field. */
export async function rewrite(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}
