import { readFile } from 'node:fs/promises';
import { CallFailed, pathOf } from '#contract/client.ts';
import { createTemporaryKey } from '#contract/device.ts';
import { exportDevices } from '#contract/deviceBulk.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { listProjects } from '#contract/project.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { importDevices } from './importDevices.ts';
import { inParallel } from './inParallel.ts';
import type { Identity } from './member.ts';
import type { Options } from './options.ts';
import type { Desk } from './signIn.ts';

/** The project and class of the devices. */
export interface Place {
  projectId: string;
  deviceClass: string;
}

const tagOf = (number: number) => `sim-${String(number).padStart(4, '0')}`;

/** Reads identities from an export of the console. */
export async function identitiesIn(path: string, count: number): Promise<Identity[]> {
  const devices = listOf(await jsonIn(path));
  const usable = devices.flatMap(({ id, apiKey }) => (id && apiKey ? [{ id, apiKey }] : []));
  if (usable.length === 0) throw new Error(`${path} contains no devices with keys.`);
  return usable.slice(0, count);
}

async function jsonIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new Error(`${path} ${why}. Pass an export of the console as --file.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON. Export the devices as JSON, with their keys.`);
  }
}

export async function findPlace(desk: Desk, { project, deviceClass }: Options): Promise<Place> {
  const { items } = await desk.client.call(listProjects, { query: { limit: 999 } });
  const meant = project
    ? items.filter(({ id, name }) => id === project || name === project)
    : items.filter(({ isSample }) => !isSample);
  const [one] = meant;
  if (!one || meant.length > 1) {
    const names = items.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
    const why = project && !one ? `You have no project named "${project}". ` : '';
    throw new Error(`${why}Choose one with --project:\n${names}`);
  }
  await desk.client
    .call(createDeviceClass, { params: { projectId: one.id }, body: { id: deviceClass } })
    .catch(unless('ID_TAKEN'));
  return { projectId: one.id, deviceClass };
}

/** The devices of the class with the tags sim-0001, sim-0002, …; missing ones are created. */
export async function identitiesAt(desk: Desk, place: Place, count: number): Promise<Identity[]> {
  const tags = Array.from({ length: count }, (_, at) => tagOf(at + 1));
  let there = await exported(desk, place);
  const missing = tags.filter(tag => !there.has(tag));
  const keys = await importDevices(desk, place, missing);
  if (missing.length > 0) there = await exported(desk, place);
  return inParallel(tags, async tag => {
    const { id = '', apiKey = keys.get(tag) } = there.get(tag) ?? {};
    return { id, apiKey: apiKey ?? (await temporaryKey(desk, id)) };
  });
}

/** Used if the project does not store keys. */
async function temporaryKey({ client }: Desk, deviceId: string): Promise<string> {
  return (await client.call(createTemporaryKey, { params: { deviceId } })).token;
}

/** The exported devices by tag. */
async function exported(desk: Desk, { projectId, deviceClass }: Place): Promise<Map<string, Exported>> {
  const query = new URLSearchParams({ deviceClass, format: 'json', search: 'sim-' });
  const answer = await desk.fetch(`${pathOf(exportDevices, { projectId })}?${query}`);
  if (!answer.ok) throw new Error(`The devices could not be read: ${await answer.text()}`);
  return new Map(listOf(await answer.json()).map(device => [device.tag ?? '', device]));
}

interface Exported {
  id?: string;
  tag?: string;
  apiKey?: string;
}

function listOf(value: unknown): Exported[] {
  const text = (one: unknown) => (typeof one === 'string' ? one : undefined);
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter(isObject).map(({ id, tag, apiKey }) => {
    const [ids, tags, keys] = [text(id), text(tag), text(apiKey)];
    return { ...(ids && { id: ids }), ...(tags && { tag: tags }), ...(keys && { apiKey: keys }) };
  });
}

function unless(reason: CallFailed['reason']) {
  return (error: unknown) => {
    if (!(error instanceof CallFailed && error.reason === reason)) throw error;
  };
}
