import { type Db, sql } from '#server/db/sql.ts';

/** Updates the installed bundle of devices, writing a row only if it changes. */
export async function noteInstalled(
  db: Db,
  devices: readonly { projectId: string; deviceId: string; bundleId: string | undefined }[],
): Promise<void> {
  await db.run(sql`
    update devices d set bundle_installed = said.bundle_id
    from unnest(
      ${devices.map(device => device.projectId)}::text[], ${devices.map(device => device.deviceId)}::text[],
      ${devices.map(device => device.bundleId ?? null)}::text[]) as said (project_id, device_id, bundle_id)
    where d.project_id = said.project_id and d.id = said.device_id
      and d.bundle_installed is distinct from said.bundle_id`);
}
