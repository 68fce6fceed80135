import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

/**
 * Chooses devices that go first, regardless of their place. Returns the ids of those that match the condition on `d`.
 */
export async function chooseDevices(
  db: Db,
  { projectId, rolloutId, ids }: { projectId: string; rolloutId: string; ids: readonly string[] },
  condition: Sql,
): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    insert into rollout_devices (project_id, rollout_id, device_id, step)
    select d.project_id, ${rolloutId}, d.id, 0 from devices d
    where d.project_id = ${projectId} and d.id = any(${ids}) and ${condition} order by d.id
    on conflict do nothing
    returning device_id as id`);
  return new Set(rows.map(({ id }) => id));
}
