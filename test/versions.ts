import { createHash } from 'node:crypto';
import { type Bundle, createBundle } from '#contract/bundle.ts';
import { type Component, createComponent } from '#contract/component.ts';
import {
  type ComponentVersion,
  createComponentVersion,
  readComponentVersion,
} from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass } from './devices.ts';
import { until } from './until.ts';
import { type SignedIn, unique, type World } from './world.ts';

type Owner = Pick<SignedIn, 'client'>;

export function aComponent(owner: Owner, projectId: string, name = unique('part')): Promise<Component> {
  return owner.client.call(createComponent, { body: { projectId, name } });
}

/** A version without a file. */
export async function aVersion(
  owner: Owner,
  projectId: string,
  given: Partial<BodyOf<typeof createComponentVersion>> = {},
): Promise<ComponentVersion> {
  const componentId = given.componentId ?? (await aComponent(owner, projectId)).id;
  return owner.client.call(createComponentVersion, { body: { name: unique('v'), ...given, componentId } });
}

/** A version with a file, put directly into the store. */
export async function aReadyVersion(
  { platform }: World,
  owner: Owner,
  projectId: string,
  { content = Buffer.from(unique('firmware')), ...given }: VersionGiven = {},
): Promise<ComponentVersion> {
  const { id } = await aVersion(owner, projectId, given);
  const place = platform.newId('fil');
  const bytes = Buffer.from(content);
  await platform.storage.write(place, oneChunk(bytes), bytes.length);
  await platform.db.run(sql`
    update component_versions set state = 'ready', place = ${place}, filename = 'firmware.bin',
      size_bytes = ${bytes.length}, sha256 = ${createHash('sha256').update(bytes).digest('hex')}
    where id = ${id}`);
  return owner.client.call(readComponentVersion, { params: { versionId: id } });
}

type VersionGiven = Partial<BodyOf<typeof createComponentVersion>> & { content?: Uint8Array | string };

async function* oneChunk(bytes: Uint8Array) {
  yield bytes;
}

/** A bundle; by default of a new class and with one ready version. */
export async function aBundle(
  world: World,
  owner: Owner,
  projectId: string,
  given: Partial<BodyOf<typeof createBundle>> = {},
): Promise<Bundle> {
  const deviceClass = given.deviceClass ?? (await aClass(owner, projectId)).id;
  const componentVersionIds = given.componentVersionIds ?? [
    (await aReadyVersion(world, owner, projectId)).id,
  ];
  const body = { projectId, name: unique('bundle'), ...given, deviceClass, componentVersionIds };
  return owner.client.call(createBundle, { body });
}

/** The paths of the files of versions, once a job has also stored those of the sample projects. */
export function storedVersions({ platform: { db } }: World): Promise<string[]> {
  return until(async () => {
    const rows = await db.many<{ state: string; place: string | null }>(
      sql`select state, place from component_versions order by place`,
    );
    return rows.some(({ state }) => state === 'verifying')
      ? undefined
      : rows.flatMap(({ place }) => place ?? []);
  });
}
