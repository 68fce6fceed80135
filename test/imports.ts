import {
  applyImport,
  type DeviceImport,
  readImport,
  readImportFaults,
  startImport,
} from '#contract/deviceBulk.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass } from './devices.ts';
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

/** A device id for an import file. */
export const anId = (n: number) => `dev_01k9x3m2h4e6d8b0a2c4e6${n.toString().padStart(4, '0')}`;

type Target = Pick<Given, 'projectId' | 'deviceClass'>;

/** A class to import devices into. */
export async function aTarget(owner: SignedIn, projectId: string): Promise<Target> {
  return { projectId, deviceClass: (await aClass(owner, projectId)).id };
}

/** The imported devices, read directly from the tables. */
export const importedInto = ({ platform }: World, { projectId, deviceClass }: Target) =>
  platform.db.many<{ id: string; tag: string; claimCode: string }>(sql`
    select d.id, d.tag, d.claim_code as "claimCode" from devices d
    join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.device_class = ${deviceClass} order by d.tag`);

const resting = ['waiting', 'checked', 'done', 'failed'];

export const readOne = (owner: SignedIn, projectId: string, importId: string): Promise<DeviceImport> =>
  owner.client.call(readImport, { params: { projectId, importId } });

/** Resolves with the import once its job is done. */
export const rested = (owner: SignedIn, projectId: string, importId: string): Promise<DeviceImport> =>
  until(async () => {
    const found = await readOne(owner, projectId, importId);
    return resting.includes(found.state) ? found : undefined;
  });

/** Starts an import, uploads the file, and waits until it is checked. */
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

/** Starts applying the import without waiting for it, as the button does. */
export const apply = (owner: SignedIn, projectId: string, importId: string): Promise<DeviceImport> =>
  owner.client.call(applyImport, { params: { projectId, importId } });

export async function appliedImport(
  owner: SignedIn,
  given: Given,
  file: string | Buffer<ArrayBuffer>,
): Promise<DeviceImport> {
  const { id } = await checkedImport(owner, given, file);
  await apply(owner, given.projectId, id);
  return rested(owner, given.projectId, id);
}

export const faultsOf = (owner: SignedIn, projectId: string, importId: string) =>
  owner.client.call(readImportFaults, { params: { projectId, importId } });

/** The file of an export, with the headers of the answer. */
export function exported(
  world: World,
  owner: SignedIn,
  projectId: string,
  query: Record<string, string>,
): ReturnType<typeof rawCall> {
  const text = new URLSearchParams({ format: 'json', ...query });
  return rawCall(owner.fetch, ['GET', `${world.url}/api/projects/${projectId}/deviceExport?${text}`]);
}
