import { type Db, sql } from '#server/infra/db/sql.ts';
import { allowanceS } from './rhythm.ts';

/** Devices that could not speak while they were suspended get as much time for it as they need, from when they are resumed. */
export async function giveTimeToSpeak(
  db: Db,
  projectId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    update device_presence
    set quiet_check_at = ${now}::timestamptz + ${allowanceS(sql`longest_gap_s`)} * interval '1 second'
    where project_id = ${projectId} and device_id = any(${ids}) and quiet_check_at is not null`);
}
