import { type Db, sql } from '#server/infra/db/sql.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';
import { isOpenToGuest, type RightsRow, rightsColumns } from '#server/people/homes/rights.ts';
import type { NotifyConfig } from './notifyConfig.ts';

export interface Place {
  project: string;
  home: string;
  timeZone: string;
  /** True if users get their e-mails from the developer's own back end. */
  isExternal: boolean;
}

export function placeOf(db: Db, projectId: string, homeId: string): Promise<Place | undefined> {
  return db.one<Place>(sql`
    select p.name as project, h.name as home, h.time_zone as "timeZone",
      p.user_account_mode <> 'email' as "isExternal"
    from homes h join projects p on p.id = h.project_id and p.deleted_at is null
    where h.project_id = ${projectId} and h.id = ${homeId}`);
}

export interface Member {
  id: string;
  name: string;
  email: string;
}

/**
 * The members of a device's home with these roles who have verified their address and are not unsubscribed. A guest
 * gets e-mails about the devices listed for them, at times when they have access.
 */
export async function membersToWrite(
  db: Db,
  {
    projectId,
    moduleId,
    roles,
    now,
  }: { projectId: string; moduleId: string; roles: NotifyConfig['roles']; now: Date },
  { id: deviceId, homeId }: Pick<EventDevice, 'id' | 'homeId'>,
): Promise<Member[]> {
  const rows = await db.many<Member & RightsRow & { isListed: boolean }>(sql`
    select ${rightsColumns}, u.id, u.name, u.email, g.device_id is not null as "isListed"
    from home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id
    join users u on u.project_id = m.project_id and u.id = m.user_id
    left join home_guest_devices g on g.project_id = m.project_id and g.home_id = m.home_id
      and g.user_id = m.user_id and g.device_id = ${deviceId}
    where m.project_id = ${projectId} and m.home_id = ${homeId} and m.role = any(${roles})
      and u.email is not null and u.verified_at is not null and not u.suspended
      and not exists (select from notify_refusals r
        where r.project_id = m.project_id and r.module_id = ${moduleId} and r.user_id = m.user_id)
    order by m.joined_at, u.id`);
  return rows
    .filter(row => row.role !== 'guest' || (row.isListed && isOpenToGuest(row, now)))
    .map(({ id, name, email }) => ({ id, name, email }));
}
