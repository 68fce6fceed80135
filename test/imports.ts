import {
  applyImport,
  type DeviceImport,
  readImport,
  readImportFaults,
  startImport,
} from '#contract/deviceBulk.ts';
import { put } from './logRequests.ts';
import { rawCall } from './rawCall.ts';
import { until } from './until.ts';
import type { SignedIn, World } from './world.ts';

interface Given {
  projectId: string;
  deviceClass: string;
  format?: 'json' | 'csv';
  ids?: 'keep' | 'new';
}

const resting = ['waiting', 'checked', 'done', 'failed'];

export const readOne = (owner: SignedIn, projectId: string, importId: string): Promise<DeviceImport> =>
  owner.client.call(readImport, { params: { projectId, importId } });

/** The import once its job is done. */
export const rested = (owner: SignedIn, projectId: string, importId: string): Promise<DeviceImport> =>
  until(async () => {
    const found = await readOne(owner, projectId, importId);
    return resting.includes(found.state) ? found : undefined;
  });

/** Starts an import, puts the file there, and waits until it is checked. */
export async function checkedImport(
  owner: SignedIn,
  { projectId, deviceClass, format = 'json', ids = 'new' }: Given,
  file: string | Buffer<ArrayBuffer>,
): Promise<DeviceImport> {
  const body = { deviceClass, format, ids };
  const { id, uploadUrl = '' } = await owner.client.call(startImport, { params: { projectId }, body });
  const answer = await put(uploadUrl, file);
  if (answer.status !== 204) throw new Error(`The file was refused: ${answer.reason}`);
  return rested(owner, projectId, id);
}

export async function appliedImport(
  owner: SignedIn,
  given: Given,
  file: string | Buffer<ArrayBuffer>,
): Promise<DeviceImport> {
  const { id } = await checkedImport(owner, given, file);
  const params = { projectId: given.projectId, importId: id };
  await owner.client.call(applyImport, { params });
  return rested(owner, given.projectId, id);
}

export const faultsOf = (owner: SignedIn, projectId: string, importId: string) =>
  owner.client.call(readImportFaults, { params: { projectId, importId } });

/** The file of an export, with what its answer says beside it. */
export function exported(
  world: World,
  owner: SignedIn,
  projectId: string,
  query: Record<string, string>,
): ReturnType<typeof rawCall> {
  const text = new URLSearchParams({ format: 'json', ...query });
  return rawCall(owner.fetch, ['GET', `${world.url}/api/projects/${projectId}/deviceExport?${text}`]);
}
