import type { Device, editDevice } from '#contract/device.ts';
import type { BodyOf, Role } from '#contract/endpoint.ts';
import { type Db, empty, join, raw, sql } from '#server/db/sql.ts';
import type { Resource } from '#server/endpoints/access.ts';
import { type FullRow, fullColumns, toDevice } from './device.ts';

/** A device's id is its own in all projects: it says which project is meant. */
export const deviceResource: Resource = {
  notFound: 'DEVICE_NOT_FOUND',
  async find(db, { deviceId = '' }, developerId, lock, now) {
    const row = await db.one<FullRow & { orgId: string; role: Role | null }>(sql`
      select ${fullColumns}, p.org_id as "orgId", (
        select m.role from project_members m where m.project_id = p.id and m.developer_id = ${developerId}) as role
      from devices d join projects p on p.id = d.project_id and p.deleted_at is null
      left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
      where d.id = ${deviceId} ${lock ? sql`for no key update of d` : empty}`);
    if (!row) return undefined;
    return {
      projectId: row.projectId,
      orgId: row.orgId,
      role: row.role,
      row: { ...toDevice(row, now) },
    };
  },
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

type Edit = Omit<BodyOf<typeof editDevice>, 'claimCode'> & { claimCode?: string | undefined };

const columnOf: Record<keyof Edit, string> = {
  tag: 'tag',
  name: 'name',
  description: 'description',
  claimCode: 'claim_code',
  channel: 'channel',
  suspended: 'suspended',
};

export async function updateDevice(db: Db, projectId: string, id: string, edit: Edit): Promise<void> {
  const given = (Object.keys(columnOf) as (keyof Edit)[]).filter(name => edit[name] !== undefined);
  const sets = given.map(name => sql`${raw(columnOf[name])} = ${edit[name]}`);
  await db.run(sql`
    update devices set ${join([...sets, sql`revision = revision + 1`])}
    where project_id = ${projectId} and id = ${id}`);
}
