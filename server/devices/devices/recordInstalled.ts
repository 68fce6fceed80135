import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Updates the installed bundle of devices, writing a row only if it changes. A bundle that the class does not have is
 * not stored here, only in the report.
 */
export async function recordInstalled(
  db: Db,
  devices: readonly { projectId: string; deviceId: string; bundleId: string | undefined }[],
): Promise<void> {
  await db.run(sql`
    update devices d set bundle_installed = said.known
    from (
      select d.project_id, d.id as device_id, b.id as known from unnest(
      ${devices.map(device => device.projectId)}::text[], ${devices.map(device => device.deviceId)}::text[],
      ${devices.map(device => device.bundleId ?? null)}::text[]) as asked (project_id, device_id, bundle_id)
      join devices d on d.project_id = asked.project_id and d.id = asked.device_id
      left join bundles b on b.project_id = d.project_id and b.device_class = d.device_class
        and b.id = asked.bundle_id) as said
    where d.project_id = said.project_id and d.id = said.device_id
      and d.bundle_installed is distinct from said.known`);
}
