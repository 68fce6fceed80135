import { type Db, sql } from '#server/infra/db/sql.ts';
import type { EventCursor } from '#server/modules/events/readNextEvents.ts';

/** A project that is dispatched apart from its shard, and how far its events were read. */
export interface LateProject extends EventCursor {
  projectId: string;
}

export function lateProjectsOf(db: Db, shard: number): Promise<LateProject[]> {
  return db.many<LateProject>(sql`
    select project_id as "projectId", tx::text, seq::text from module_late_projects
    where module_shard(project_id) = ${shard} order by project_id`);
}

/** Where a late project is; undefined if it is not late, or was deleted. */
export function findLateProject(db: Db, projectId: string): Promise<LateProject | undefined> {
  return db.one<LateProject>(sql`
    select project_id as "projectId", tx::text, seq::text from module_late_projects where project_id = ${projectId}`);
}

/** Sets projects apart from their shard. Called in the transaction that moves the cursor of the shard. */
export async function setApart(
  db: Db,
  projectIds: readonly string[],
  { tx, seq }: EventCursor,
): Promise<void> {
  if (projectIds.length === 0) return;
  await db.run(sql`
    insert into module_late_projects (project_id, tx, seq)
    select id, ${tx}::text::xid8, ${seq}::bigint from projects where id = any(${projectIds})`);
}

/** Moves the cursor of a late project; false if it is not where it was, as after a commit whose answer was lost. */
export async function moveLate(
  db: Db,
  holder: string,
  { projectId, tx, seq }: LateProject,
  next: EventCursor,
): Promise<boolean> {
  const moved = await db.run(sql`
    update module_late_projects l set tx = ${next.tx}::text::xid8, seq = ${next.seq}::bigint
    where project_id = ${projectId} and tx = ${tx}::text::xid8 and seq = ${seq}::bigint
      and exists (select from module_shards where shard = module_shard(l.project_id) and holder = ${holder})`);
  return moved === 1;
}

/** The project belongs to its shard again. Called in the transaction that moves the cursor of the shard. */
export async function rejoin(db: Db, projectId: string): Promise<void> {
  await db.run(sql`delete from module_late_projects where project_id = ${projectId}`);
}

/** For a cursor that starts over: what was late counts as read, too. */
export async function forgetLateProjects(db: Db, shard: number): Promise<void> {
  await db.run(sql`delete from module_late_projects where module_shard(project_id) = ${shard}`);
}
