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
 * template of a key can give another one by now.
 */
export async function endingAlerts(
  db: Db,
  asked: readonly Omit<EndingAlert, 'key'>[],
): Promise<EndingAlert[]> {
  if (asked.length === 0) return [];
  return db.many<EndingAlert>(sql`
    select distinct ${columns}
    from unnest(${asked.map(one => one.projectId)}::text[], ${asked.map(one => one.moduleId)}::text[],
      ${asked.map(one => one.deviceId)}::text[]) as m (project_id, module_id, device_id)
    join alerts a on a.project_id = m.project_id and a.module_id = m.module_id and a.device_id = m.device_id
    where ${isEnding}`);
}

/** The alerts that end with the condition of a module, for all its devices. */
export function endingAlertsOf(
  db: Db,
  { projectId, moduleId }: Pick<EndingAlert, 'projectId' | 'moduleId'>,
): Promise<EndingAlert[]> {
  return db.many<EndingAlert>(sql`
    select ${columns} from alerts a
    where a.project_id = ${projectId} and a.module_id = ${moduleId} and ${isEnding}`);
}
