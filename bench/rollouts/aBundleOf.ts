import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bundle, createBundle } from '#contract/bundle.ts';
import type { Client } from '#contract/client.ts';
import { createComponent, listComponents } from '#contract/component.ts';
import {
  completeVersionUpload,
  createComponentVersion,
  readComponentVersion,
  startVersionUpload,
} from '#contract/componentVersion.ts';

export const deviceClass = 'simulated';
const fileBytes = 64 * 1024;

/** A bundle of one component with its own file. */
export async function aBundleOf(client: Client, projectId: string, name: string): Promise<Bundle> {
  const { items } = await client.call(listComponents, { query: { projectId } });
  const component = items[0] ?? (await client.call(createComponent, { body: { projectId, name: 'main' } }));
  const { id: versionId } = await client.call(createComponentVersion, {
    body: { componentId: component.id, name },
  });
  const params = { versionId };
  const upload = await client.call(startVersionUpload, {
    params,
    body: { filename: 'main.bin', bytes: fileBytes },
  });
  await fetch(upload.urls[0] ?? '', { method: 'PUT', body: randomBytes(fileBytes) });
  await client.call(completeVersionUpload, { params: { versionId, uploadId: upload.uploadId }, body: {} });
  while ((await client.call(readComponentVersion, { params })).state !== 'ready') await wait(50);
  return client.call(createBundle, {
    body: { projectId, deviceClass, name, componentVersionIds: [versionId] },
  });
}
