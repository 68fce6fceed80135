import type { LogEntry } from '#contract/log.ts';
import { publishLive } from '#server/api/http/live.ts';
import { appendEntry, type NewEntry } from '#server/api/logs/append.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** For a developer in very many projects, only the most recently joined ones are notified. */
const projectsMax = 50;

type Told = { projectId: string; entry: LogEntry };

/**
 * Records a member's sign-in, or a failed one, in the audit log of each of their projects, so that project
 * owners can see it without access to the organization's log.
 */
export async function auditInProjects(
  db: Db,
  platform: Platform,
  developerId: string,
  entry: Omit<NewEntry, 'projectId' | 'subject'>,
): Promise<Told[]> {
  const projects = await db.many<{ id: string }>(sql`
    select p.id from project_members m join projects p on p.id = m.project_id and p.deleted_at is null
    where m.developer_id = ${developerId} order by m.created_at desc limit ${projectsMax}`);
  const told: Told[] = [];
  for (const { id: projectId } of projects)
    told.push({
      projectId,
      entry: await appendEntry(db, platform, { ...entry, projectId, subject: undefined }),
    });
  return told;
}

/** Publishes the entries. Call only after the commit. */
export function publishToProjects(platform: Platform, told: Told[]): void {
  if (told.length > 0) wakeSealer(platform);
  for (const { projectId, entry } of told) publishLive(platform, projectId, { kind: 'entry', entry });
}
