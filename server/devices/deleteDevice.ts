import type { Device, deleteDevice } from '#contract/device.ts';
import { sql } from '#server/db/sql.ts';
import { tellDevice } from '#server/gateway/notices.ts';
import type { Call } from '#server/http/route.ts';

/** Tables that a device's row does not take with it: they are partitioned, and a foreign key would cost every message. */
const apart = [sql`delete from device_events`, sql`delete from presence_changes`] as const;

/** Deletes a device with what is kept of it; its gateway ends the connections. */
export async function deleteOne(call: Call<typeof deleteDevice>): Promise<void> {
  const { db, platform } = call;
  const { id, projectId } = call.before as unknown as Device;
  for (const from of apart) await db.run(sql`${from} where project_id = ${projectId} and device_id = ${id}`);
  await db.run(sql`delete from devices where project_id = ${projectId} and id = ${id}`);
  call.whenKept(() => tellDevice(platform, id, { kind: 'access' }));
}
