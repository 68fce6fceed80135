import { Problem } from '#contract/problem.ts';
import type { ProxyResource } from '#contract/proxyRoute.ts';
import type { Membership, UserCaller } from '#server/api/endpoints/apiDoor.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { homeDeviceResource } from '#server/people/homes/findHomeDevice.ts';
import { isHomeId } from '#server/people/homes/home.ts';
import { isOpenToGuest, membershipOf, type RightsRow, rightsColumns } from '#server/people/homes/rights.ts';
import type { Subject } from './matchRoutes.ts';

/** The ids by which the path of a call names its subject. */
export type SubjectIds = Partial<
  Record<'projectId' | 'homeId' | 'userId' | 'deviceId' | 'entityId', string | undefined>
>;

export interface Asker {
  projectId: string;
  user: UserCaller;
  hasRoles: boolean;
  now: Date;
}

/** Methods without side effects (RFC 9110), for which the right to view is enough. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The subject of a call, if its user may make the call. A WebSocket needs the right to control, because it is more than
 * a GET.
 */
export function findSubject(
  db: Db,
  resource: ProxyResource,
  ids: SubjectIds,
  asker: Asker,
  { method, isUpgrade }: { method: string; isUpgrade: boolean },
): Subject | Promise<Subject> {
  if (ids.projectId !== undefined && ids.projectId !== asker.projectId)
    throw new Problem('PROJECT_NOT_FOUND');
  if (resource === 'project') return { resource };
  if (resource === 'user') {
    if (ids.userId !== asker.user.id) throw new Problem('USER_NOT_FOUND');
    return { resource };
  }
  if (resource === 'home') return findHome(db, ids.homeId ?? '', asker);
  const isControl = isUpgrade || !safeMethods.has(method);
  if (resource === 'device') return findDevice(db, ids.deviceId ?? '', asker, isControl);
  return findEntity(db, ids.entityId ?? '', asker, isControl);
}

/** A guest has access only at times when the home's devices are open to them. */
async function findHome(db: Db, homeId: string, { projectId, user, hasRoles, now }: Asker): Promise<Subject> {
  const row = isHomeId(homeId)
    ? await db.one<RightsRow>(sql`
        select ${rightsColumns} from homes h
        join home_members m on m.project_id = h.project_id and m.home_id = h.id and m.user_id = ${user.id}
        where h.project_id = ${projectId} and h.id = ${homeId}`)
    : undefined;
  if (!row || !membershipOf(row, { hasRoles, now }).rights.includes('view'))
    throw new Problem('HOME_NOT_FOUND');
  if (row.role === 'guest' && !isOpenToGuest(row, now)) throw new Problem('HOME_RIGHT_MISSING');
  return { resource: 'home', homeId: row.homeId, role: row.role };
}

async function findDevice(db: Db, deviceId: string, asker: Asker, isControl: boolean): Promise<Subject> {
  const found = await homeDeviceResource.find(db, { deviceId }, { ...asker, lock: false });
  if (!found?.membership.rights.includes('view')) throw new Problem('DEVICE_NOT_FOUND');
  if (isControl) checkControl(found.membership);
  const { homeId, deviceClass } = found.row;
  return { resource: 'device', homeId, deviceId, deviceClass, role: found.membership.role };
}

/** An entity is part of a device, so the rights are those for the device. */
async function findEntity(db: Db, entityId: string, asker: Asker, isControl: boolean): Promise<Subject> {
  const [, deviceId = '', name = ''] = /^([^:]{1,64}):([^:]{1,63})$/.exec(entityId) ?? [];
  const found = await homeDeviceResource.find(db, { deviceId }, { ...asker, lock: false });
  if (!found?.membership.rights.includes('view')) throw new Problem('ENTITY_NOT_FOUND');
  const entity = await db.one<{ class: string }>(sql`
    select class from device_entities
    where project_id = ${asker.projectId} and device_id = ${deviceId} and name = ${name}`);
  if (!entity) throw new Problem('ENTITY_NOT_FOUND');
  if (isControl) checkControl(found.membership);
  const { homeId } = found.row;
  return {
    resource: 'entity',
    homeId,
    deviceId,
    entityId,
    entityClass: entity.class,
    role: found.membership.role,
  };
}

function checkControl({ rights, isActive }: Membership): void {
  if (!rights.includes('control')) throw new Problem('HOME_RIGHT_MISSING');
  if (!isActive) throw new Problem('HOME_INACTIVE');
}
