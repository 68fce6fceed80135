import { type Db, sql } from '#server/infra/db/sql.ts';

/** Moves locked devices to a channel, and returns those that were on another one. */
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

/** Suspends or resumes locked devices, and returns those whose status changed. */
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
