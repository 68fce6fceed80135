import type { Device, editDevice } from '#contract/device.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import { updateRow } from '#server/infra/db/rows.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type FullRow, fullColumns, toDevice } from './device.ts';

declare module '#server/api/access/access.ts' {
  interface Rows {
    device: Device;
    devicePart: DeviceOfPart;
  }
}

/** A device's id is unique across all projects, so it also identifies the project. */
export const deviceResource: Resource<Device> = {
  notFound: 'DEVICE_NOT_FOUND',
  async find(db, { deviceId = '' }, caller) {
    const found = await findInProject<FullRow>(db, caller, {
      columns: fullColumns,
      from: sql`devices d left join device_presence s on s.project_id = d.project_id and s.device_id = d.id`,
      alias: 'd',
      where: sql`d.id = ${deviceId}`,
    });
    return found && { ...found, row: toDevice(found.row, caller.now) };
  },
};

/** Of calls about something that a device has: its state, commands, logs. They are frequent, and need little of it. */
export type DeviceOfPart = Pick<
  Device,
  'id' | 'projectId' | 'deviceClass' | 'tag' | 'name' | 'channel' | 'suspended'
>;

export const devicePartResource: Resource<DeviceOfPart> = {
  notFound: 'DEVICE_NOT_FOUND',
  find: (db, { deviceId = '' }, caller) =>
    findInProject<DeviceOfPart>(db, caller, {
      columns: sql`d.id, d.project_id as "projectId", d.device_class as "deviceClass", d.tag, d.name, d.channel, d.suspended`,
      from: sql`devices d`,
      alias: 'd',
      where: sql`d.id = ${deviceId}`,
    }),
};

export async function findDevice(
  db: Db,
  projectId: string,
  id: string,
  now: Date,
): Promise<Device | undefined> {
  const row = await db.one<FullRow>(sql`
    select ${fullColumns} from devices d
    left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.id = ${id}`);
  return row && toDevice(row, now);
}

type Edit = Omit<BodyOf<typeof editDevice>, 'claimCode'> & {
  claimCode?: string | undefined;
  nameBefore?: null;
};

const columnOf: Record<keyof Edit, string> = {
  tag: 'tag',
  name: 'name',
  nameBefore: 'name_before',
  description: 'description',
  claimCode: 'claim_code',
  channel: 'channel',
  bundlePinned: 'bundle_pinned',
  suspended: 'suspended',
};

export function updateDevice(db: Db, projectId: string, id: string, edit: Edit): Promise<number> {
  return updateRow(db, 'devices', { project_id: projectId, id }, edit, columnOf);
}
