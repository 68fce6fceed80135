import { type Db, sql } from '#server/infra/db/sql.ts';

/** An unresolved alert of a smart module that ends with the module's condition. */
export interface EndingAlert {
  projectId: string;
  moduleId: string;
  deviceId: string;
  key: string;
}

const columns = sql`a.project_id as "projectId", a.module_id as "moduleId", a.device_id as "deviceId", a.key`;
const isEnding = sql`a.is_current and a.state <> 'resolved' and a.ends_with_condition`;

/**
 * The alerts that end with the conditions of these modules for these devices. They are found by what raised them: the
 * template of a key can give another one by now. `until`: only those that were last reported by then.
 */
export async function endingAlerts(
  db: Db,
  asked: readonly Omit<EndingAlert, 'key'>[],
  until: Date | null = null,
): Promise<EndingAlert[]> {
  if (asked.length === 0) return [];
  return db.many<EndingAlert>(sql`
    select distinct ${columns}
    from unnest(${asked.map(one => one.projectId)}::text[], ${asked.map(one => one.moduleId)}::text[],
      ${asked.map(one => one.deviceId)}::text[]) as m (project_id, module_id, device_id)
    join alerts a on a.project_id = m.project_id and a.module_id = m.module_id and a.device_id = m.device_id
    where ${isEnding} and (${until}::timestamptz is null or a.last_at <= ${until})`);
}

/** The devices with alerts that end with the condition of a module. */
export async function devicesWithEndingAlerts(
  db: Db,
  { projectId, moduleId }: Pick<EndingAlert, 'projectId' | 'moduleId'>,
): Promise<string[]> {
  const rows = await db.many<{ deviceId: string }>(sql`
    select distinct a.device_id as "deviceId" from alerts a
    where a.project_id = ${projectId} and a.module_id = ${moduleId} and ${isEnding}`);
  return rows.map(({ deviceId }) => deviceId);
}
