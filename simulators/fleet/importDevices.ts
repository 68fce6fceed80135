import { randomBytes } from 'node:crypto';
import { applyImport, readImport, startImport } from '#contract/deviceBulk.ts';
import type { Place } from './identities.ts';
import type { Desk } from './signIn.ts';

const lookMs = 200;

/**
 * Creates devices with these tags in one import. Returns their keys, which cannot be read later if the project does not
 * store keys.
 */
export async function importDevices(
  desk: Desk,
  { projectId, deviceClass }: Place,
  tags: readonly string[],
): Promise<Map<string, string>> {
  const keys = new Map(tags.map(tag => [tag, randomBytes(16).toString('hex')]));
  if (tags.length === 0) return keys;
  const body = { deviceClass, format: 'json', ids: 'new' } as const;
  const { id: importId, uploadUrl = '' } = await desk.client.call(startImport, {
    params: { projectId },
    body,
  });
  const file = JSON.stringify([...keys].map(([tag, apiKey]) => ({ tag, apiKey })));
  const answer = await fetch(uploadUrl, { method: 'PUT', body: file });
  if (!answer.ok) throw new Error(`The devices could not be created: ${await answer.text()}`);
  const params = { projectId, importId };
  await hasCome(desk, params, 'checked');
  await desk.client.call(applyImport, { params });
  await hasCome(desk, params, 'done');
  return keys;
}

async function hasCome(
  { client }: Desk,
  params: { projectId: string; importId: string },
  wanted: 'checked' | 'done',
): Promise<void> {
  for (;;) {
    const { state, bad, error } = await client.call(readImport, { params });
    if (state === wanted && bad === 0) return;
    if (state === 'failed' || bad > 0)
      throw new Error(`The devices could not be created: ${error ?? `${bad} rejected.`}`);
    await new Promise(resolve => setTimeout(resolve, lookMs));
  }
}
