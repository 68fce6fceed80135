import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type Bundle, createBundle } from '#contract/bundle.ts';
import { type Component, createComponent } from '#contract/component.ts';
import {
  type ComponentVersion,
  completeVersionUpload,
  createComponentVersion,
  readComponentVersion,
  startVersionUpload,
} from '#contract/componentVersion.ts';
import type { Project } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { test as base } from '../devices/devicePage.ts';
import { expect } from '../world.ts';

/** In these tests, a `project` has the class `thermostat`. */
export const test = base;

export const place = ({ id }: Pick<Project, 'id'>, path: string) => `/projects/${id}/${path}`;

export const versionPlace = (project: Pick<Project, 'id'>, version: ComponentVersion) =>
  place(project, `components/${version.componentId}/versions/${version.id}`);

export function aComponent({ client }: Newcomer, { id }: Project, name = 'gateway-os'): Promise<Component> {
  return client.call(createComponent, { body: { projectId: id, name } });
}

export function aVersion(
  { client }: Newcomer,
  { id: componentId }: Component,
  name = '4.2.0',
): Promise<ComponentVersion> {
  return client.call(createComponentVersion, { body: { componentId, name } });
}

/** A version with a verified file. */
export async function aReadyVersion(
  who: Newcomer,
  component: Component,
  name = '4.2.0',
): Promise<ComponentVersion> {
  const { id: versionId } = await aVersion(who, component, name);
  const params = { versionId };
  const bytes = Buffer.from(`firmware ${name}`);
  const body = { filename: `${name}.img`, bytes: bytes.length };
  const { uploadId, urls } = await who.client.call(startVersionUpload, { params, body });
  await fetch(urls[0] ?? '', { method: 'PUT', body: bytes });
  await who.client.call(completeVersionUpload, { params: { versionId, uploadId }, body: {} });
  await expect
    .poll(async () => (await who.client.call(readComponentVersion, { params })).state)
    .toBe('ready');
  return who.client.call(readComponentVersion, { params });
}

export function aBundle(
  { client }: Newcomer,
  { id: projectId }: Project,
  versions: readonly ComponentVersion[],
  more: { name?: string; description?: string; deviceClass?: string } = {},
): Promise<Bundle> {
  const componentVersionIds = versions.map(({ id }) => id);
  const body = { projectId, name: 'winter-24', deviceClass: 'thermostat', ...more, componentVersionIds };
  return client.call(createBundle, { body });
}

/** Three parts, the last of them short. */
export const bytes = Buffer.alloc(18 * 1024 * 1024 - 77, 'mooring');
export const sha256 = createHash('sha256').update(bytes).digest('hex');
export const file = { name: 'gateway-os-4.2.0.img', mimeType: 'application/octet-stream', buffer: bytes };

/** The same file on disk, where it also keeps the time of its last change. */
export function onDisk(): string {
  const path = test.info().outputPath(file.name);
  if (!existsSync(path)) writeFileSync(path, bytes);
  return path;
}

export const chooser = (page: Page) => page.locator('input[type=file]');

export async function upload(page: Page, checksum = '', given: string | typeof file = file): Promise<void> {
  await chooser(page).setInputFiles(given);
  await page.getByLabel('SHA-256 (optional)').fill(checksum);
  await page.getByRole('button', { name: 'Start upload' }).click();
}

/** Makes reads of the version return another filename once some time has passed since its upload; returns that name. */
export async function readAgain(page: Page): Promise<string> {
  const name = 'read-again.img';
  let sentMs = Number.POSITIVE_INFINITY;
  page.on('response', answer => {
    const isSent = /\/uploads\/\w+$/.test(answer.url()) && answer.request().method() === 'POST';
    if (isSent) sentMs = Math.min(sentMs, Date.now());
  });
  await page.route(/\/api\/componentVersions\/\w+$/, async route => {
    if (route.request().method() !== 'GET') return route.continue();
    const isLater = Date.now() - sentMs > 2_500;
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...(await response.json()), ...(isLater && { filename: name }) },
    });
  });
  return name;
}
