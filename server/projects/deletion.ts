import { Problem } from '#contract/problem.ts';
import type { Project, ProjectDeletion } from '#contract/project.ts';
import { tellClass } from '#server/bus/deviceNotices.ts';
import { type Db, raw, sql } from '#server/db/sql.ts';
import type { Call } from '#server/endpoints/route.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';

const batch = 5000;

/** Tables whose rows name their project, children first. A slice that adds a table adds it here. */
const tables = [
  'device_connections',
  'presence_changes',
  'device_events',
  'device_commands',
  'log_requests',
  'quarantine',
  'alerts',
  'device_entities',
  'device_states',
  'device_presence',
  'device_kv',
  'devices',
  'device_counts',
  'device_class_kv',
  'device_classes',
  'device_actions',
  'device_imports',
  'user_auth_flows',
  'user_auth_methods',
  'email_templates',
  'project_members',
  'traffic_counters',
  'audit_unsealed',
  'audit_blocks',
  'audit_seals',
  'log_entries',
];

/** Takes the project away at once; its rows are removed by a job. */
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
  // Its devices are let go: from now on nothing of it is to be reached.
  call.whenKept(() => {
    for (const { id } of classes) tellClass(platform, project.id, id, { kind: 'access' });
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

/** The job. It removes in small steps, each counted as it is done, and goes on where a killed one stopped. */
export function deleteProjectJob({ db, clock }: Platform): Task<'deleteProject'> {
  return async ({ deletionId }) => {
    const deletion = await db.one<{ projectId: string }>(sql`
      select project_id as "projectId" from project_deletions where id = ${deletionId} and finished_at is null`);
    if (!deletion) return;
    for (const table of tables) {
      while ((await removeSome(db, deletionId, deletion.projectId, table)) === batch);
    }
    await db.tx(async tx => {
      await tx.run(sql`delete from projects where id = ${deletion.projectId}`);
      await tx.run(sql`update project_deletions set finished_at = ${clock()} where id = ${deletionId}`);
    });
  };
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
