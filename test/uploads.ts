import { createHash } from 'node:crypto';
import {
  type ComponentVersion,
  completeVersionUpload,
  readComponentVersion,
  startVersionUpload,
  type VersionUpload,
} from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { put } from './logRequests.ts';
import { until } from './until.ts';
import { aVersion } from './versions.ts';
import type { World } from './world.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const digest = (bytes: Uint8Array) => ({
  'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
});

/** A version that waits for its file, with the calls of a developer. */
export async function anUploadTarget(world: World) {
  const owner = await world.aDeveloper();
  const projectId = (await world.aProject(owner)).id;
  const version = await aVersion(owner, projectId);
  const params = { versionId: version.id };
  const { call } = owner.client;
  const read = () => call(readComponentVersion, { params });
  return {
    owner,
    projectId,
    version,
    params,
    call,
    read,
    start: (body: BodyOf<typeof startVersionUpload>) =>
      call(startVersionUpload, { params, body: { filename: 'camera.bin', ...body } }),
    complete: (uploadId: string, body: BodyOf<typeof completeVersionUpload> = {}) =>
      call(completeVersionUpload, { params: { ...params, uploadId }, body }),
    settled: (): Promise<ComponentVersion> =>
      until(async () => {
        const now = await read();
        return now.state === 'verifying' ? undefined : now;
      }),
  };
}
type Target = Awaited<ReturnType<typeof anUploadTarget>>;

export const partOf = (file: Buffer, { partBytes }: VersionUpload, number: number) =>
  file.subarray((number - 1) * partBytes, number * partBytes);

/** Uploads a whole file; returns the resulting version. */
export async function upload(
  target: Target,
  file: Buffer,
  {
    signature,
    ...body
  }: Partial<BodyOf<typeof startVersionUpload>> &
    Pick<BodyOf<typeof completeVersionUpload>, 'signature'> = {},
): Promise<ComponentVersion> {
  const started = await target.start({ bytes: file.length, ...body });
  for (const [i, url] of started.urls.entries()) await put(url, new Uint8Array(partOf(file, started, i + 1)));
  await target.complete(started.uploadId, signature && { signature });
  return target.settled();
}

export const download = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer());
