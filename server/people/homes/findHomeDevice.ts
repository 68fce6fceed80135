import type { AppResource } from '#server/api/access/appResource.ts';
import { empty, sql } from '#server/infra/db/sql.ts';
import { membershipOnDevice, type RightsRow, rightsColumns } from './rights.ts';

/** The fields of a device in a home that calls of the app API need. */
export interface HomeDeviceRow {
  id: string;
  projectId: string;
  homeId: string;
  name: string;
  tag: string;
  deviceClass: string;
  suspended: boolean;
  /** Members of the home see nothing from before this time. */
  ownedSince: Date;
  revision: number;
}

declare module '#server/api/access/access.ts' {
  interface Rows {
    homeDevice: HomeDeviceRow;
  }
}

/** A device for an end user, with the user's current rights to this device. */
export const homeDeviceResource: AppResource<HomeDeviceRow> = {
  notFound: 'DEVICE_NOT_FOUND',
  async find(db, { deviceId = '' }, { projectId, user, hasRoles, lock, now }) {
    const found = await db.one<HomeDeviceRow & RightsRow & { mayControl: boolean | null }>(sql`
      select ${rightsColumns}, d.id, d.project_id as "projectId", d.name, d.tag, d.device_class as "deviceClass",
        d.suspended, d.owned_since as "ownedSince", d.revision, g.may_control as "mayControl"
      from devices d
      join homes h on h.project_id = d.project_id and h.id = d.home_id
      join home_members m on m.project_id = h.project_id and m.home_id = h.id and m.user_id = ${user.id}
      left join home_guest_devices g on g.project_id = m.project_id and g.home_id = m.home_id
        and g.user_id = m.user_id and g.device_id = d.id
      where d.project_id = ${projectId} and d.id = ${deviceId} ${lock ? sql`for no key update of d` : empty}`);
    if (!found) return undefined;
    const { id, homeId, name, tag, deviceClass, suspended, ownedSince, revision } = found;
    return {
      row: { id, projectId, homeId, name, tag, deviceClass, suspended, ownedSince, revision },
      membership: membershipOnDevice(found, { hasRoles, now }),
    };
  },
};
