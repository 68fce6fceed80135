import { homeMax } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Refuses a device if the home is full. The home stays locked until the device has been added, so that of two
 * concurrent requests the second counts the device of the first.
 */
export async function checkRoomInHome(
  db: Db,
  { projectId, homeId }: { projectId: string; homeId: string },
): Promise<void> {
  const home = await db.one(
    sql`select 1 as found from homes where project_id = ${projectId} and id = ${homeId} for no key update`,
  );
  if (!home) throw new Problem('HOME_NOT_FOUND');
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from devices where project_id = ${projectId} and home_id = ${homeId}`);
  if ((counted?.count ?? 0) >= homeMax.devices) throw new Problem('HOME_FULL');
}
