import type { deleteDevice } from '#contract/device.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { forgetQuarantined } from '#server/classes/deviceClasses/quarantine/wipeQuarantine.ts';
import { forgetHistories } from '#server/devices/stateHistory/wipeHistory.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Deletes a device and its data; its gateway closes the connections. */
export async function deleteOne(call: Call<typeof deleteDevice>): Promise<void> {
  const { db, platform } = call;
  const { id, projectId } = call.row;
  await removeDevices(db, projectId, [id]);
  call.afterCommit(() => notifyDevice(platform, id, { kind: 'access' }));
}

/**
 * Deletes devices and everything except their audit log entries. Partitioned tables are deleted explicitly,
 * because a foreign key on them would cost every message.
 */
export async function removeDevices(db: Db, projectId: string, ids: readonly string[]): Promise<void> {
  const apart = [
    sql`delete from device_events where project_id = ${projectId} and device_id = any(${ids})`,
    sql`delete from presence_changes where project_id = ${projectId} and device_id = any(${ids})`,
    // The concatenation keeps the planner from using the project index: without statistics of a new
    // partition, it would scan the whole log of the project.
    sql`
      delete from log_entries
      where project_id || '' = ${projectId} and stream = 'system' and subject = any(${ids})`,
  ];
  for (const one of apart) await db.run(one);
  await forgetQuarantined(db, projectId, ids);
  await forgetHistories(db, projectId, ids);
  await db.run(sql`delete from devices where project_id = ${projectId} and id = any(${ids})`);
}
