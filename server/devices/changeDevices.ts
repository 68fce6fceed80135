import { type Db, sql } from '#server/db/sql.ts';

/** Moves devices that are locked to a channel, and answers those that were on another. */
export async function moveDevices(
  db: Db,
  projectId: string,
  ids: readonly string[],
  channel: string,
): Promise<string[]> {
  const moved = await db.many<{ id: string }>(sql`
    update devices set channel = ${channel}, revision = revision + 1
    where project_id = ${projectId} and id = any(${ids}) and channel <> ${channel} returning id`);
  return moved.map(({ id }) => id);
}

/** Suspends or resumes devices that are locked, and answers those that were not so already. */
export async function suspendDevices(
  db: Db,
  projectId: string,
  ids: readonly string[],
  suspended: boolean,
): Promise<string[]> {
  const changed = await db.many<{ id: string }>(sql`
    update devices set suspended = ${suspended}, revision = revision + 1
    where project_id = ${projectId} and id = any(${ids}) and suspended <> ${suspended} returning id`);
  return changed.map(({ id }) => id);
}
