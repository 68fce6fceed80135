import { Problem } from '#contract/problem.ts';
import type { Project, ProjectDeletion } from '#contract/project.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishKeyChanged } from '#server/apps/keys/keyNotices.ts';
import { notifyClass } from '#server/infra/bus/deviceNotices.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    deleteProject: { deletionId: string };
    sweepProject: { deletionId: string };
  }
}

const batch = 5000;
/** Longer than any process gathers before it writes, or waits for a database. */
const sweepAfterMs = 10 * minuteMs;

/** Makes the project inaccessible at once; its rows are deleted by a job. */
export async function startDeletion(call: Call, project: Project): Promise<string> {
  const { db, me, now, platform } = call;
  const id = platform.newId('del');
  await db.run(
    sql`update projects set deleted_at = ${now}, revision = revision + 1 where id = ${project.id}`,
  );
  await db.run(sql`
    insert into project_deletions (id, project_id, project_name, developer_id, created_at)
    values (${id}, ${project.id}, ${project.name}, ${me.developerId}, ${now})`);
  await enqueue(db, 'deleteProject', { deletionId: id });
  const classes = await db.many<{ id: string }>(
    sql`select id from device_classes where project_id = ${project.id}`,
  );
  const keys = await db.many<{ id: string }>(sql`select id from keys where project_id = ${project.id}`);
  // Disconnects its devices and invalidates its keys: from now on nothing in the project can be reached.
  call.afterCommit(() => {
    for (const { id } of keys) publishKeyChanged(platform, id);
    for (const { id } of classes) notifyClass(platform, project.id, id, { kind: 'access' });
  });
  return id;
}

export async function findDeletion(db: Db, id: string, developerId: string): Promise<ProjectDeletion> {
  const row = await db.one<ProjectDeletion & { finished: boolean; rows: string }>(sql`
    select id, project_id as "projectId", project_name as "projectName", rows_removed as rows,
      finished_at is not null as finished
    from project_deletions where id = ${id} and developer_id = ${developerId}`);
  if (!row) throw new Problem('DELETION_NOT_FOUND');
  const { finished, rows, projectId, projectName } = row;
  return { id, projectId, projectName, state: finished ? 'done' : 'running', rowsRemoved: Number(rows) };
}

/**
 * The job. It deletes rows in small steps, counts each step in the same transaction, and continues where a killed job
 * stopped. When the server stops, it leaves the rest to another worker, because millions of rows would delay the stop
 * by minutes.
 */
export function deleteProjectJob(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tables: readonly string[],
): Task<'deleteProject'> {
  return async ({ deletionId }, { signal }) => {
    const deletion = await db.one<{ projectId: string }>(sql`
      select project_id as "projectId" from project_deletions where id = ${deletionId} and finished_at is null`);
    if (!deletion) return;
    const ordered = await childrenFirst(db, tables);
    let removed: number;
    do {
      removed = 0;
      for (const table of ordered) {
        let some: number;
        do {
          if (signal?.aborted) return enqueue(db, 'deleteProject', { deletionId });
          some = await removeSome(db, deletionId, deletion.projectId, table);
          removed += some;
        } while (some === batch);
      }
      // Triggers may have inserted rows into tables that were already empty.
    } while (removed > 0);
    await db.tx(async tx => {
      await tx.run(sql`delete from projects where id = ${deletion.projectId}`);
      await tx.run(sql`update project_deletions set finished_at = ${clock()} where id = ${deletionId}`);
      await enqueue(
        tx,
        'sweepProject',
        { deletionId },
        { runAt: new Date(clock().getTime() + sweepAfterMs) },
      );
    });
  };
}

/**
 * The last job of a deletion. Many tables have no foreign key that would keep a row out: a process may have gathered log
 * entries or figures before it learned of the deletion, and have written them after it.
 */
export function sweepProjectJob(
  { db }: Pick<Platform, 'db'>,
  tables: readonly string[],
): Task<'sweepProject'> {
  return async ({ deletionId }) => {
    const deletion = await db.one<{ projectId: string }>(sql`
      select project_id as "projectId" from project_deletions where id = ${deletionId}`);
    if (!deletion) return;
    for (const table of tables)
      while ((await removeSome(db, deletionId, deletion.projectId, table)) === batch);
  };
}

/** Orders tables so that rows are deleted before the rows that they refer to. */
async function childrenFirst(db: Db, tables: readonly string[]): Promise<string[]> {
  const references = await db.many<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and conrelid <> confrelid`);
  const ordered: string[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const isReferred = (table: string) =>
      references.some(({ child, parent }) => parent === table && child !== table && rest.includes(child));
    const next = rest.filter(table => !isReferred(table));
    // Tables that refer to each other in a cycle have no order; their foreign keys then decide which rows must wait.
    ordered.push(...(next.length > 0 ? next : rest));
    rest = next.length > 0 ? rest.filter(table => !next.includes(table)) : [];
  }
  return ordered;
}

async function removeSome(db: Db, deletionId: string, projectId: string, table: string): Promise<number> {
  const removed = await db.one<{ count: number }>(sql`
    with removed as (
      delete from ${raw(table)} t where (t.tableoid, t.ctid) in (
        select tableoid, ctid from ${raw(table)} where project_id = ${projectId} limit ${batch}) returning 1),
    counted as (
      update project_deletions set rows_removed = rows_removed + (select count(*) from removed)
      where id = ${deletionId} returning 1)
    select count(*)::int as count from removed`);
  return removed?.count ?? 0;
}
