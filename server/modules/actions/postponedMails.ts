import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ReadyMail } from './mailAction.ts';

/** Keeps an e-mail for later. Its recipients are chosen then, as people leave teams and homes meanwhile. */
export async function postponeMail(
  db: Db,
  { sealing }: Pick<Platform, 'sealing'>,
  { mail, module, device }: ReadyMail,
  given: { runId: string; number: number; device: { id: string }; now: Date; until: Date },
): Promise<void> {
  const content = sealing.seal(JSON.stringify({ mail, name: device.name }));
  await db.run(sql`
    insert into postponed_mails
      (project_id, module_id, run_id, number, device_id, home_id, content, created_at, due_at)
    values (${module.projectId}, ${module.id}, ${given.runId}, ${given.number}, ${given.device.id},
      ${device.homeId ?? null}, ${content}, ${given.now}, ${given.until})`);
}

/** How many e-mails of a module wait. */
export async function countPostponed(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from postponed_mails where project_id = ${projectId} and module_id = ${id}`);
  return row?.count ?? 0;
}

export interface PostponedKey {
  projectId: string;
  runId: string;
  number: number;
}

/** The e-mails whose time has come. */
export function duePostponed(db: Db, now: Date, limit: number): Promise<PostponedKey[]> {
  return db.many<PostponedKey>(sql`
    select project_id as "projectId", run_id as "runId", number::int from postponed_mails
    where due_at <= ${now} order by due_at limit ${limit}`);
}

/**
 * Takes an e-mail out to send it. Without a home if the device has left the one it was in. Undefined: another process
 * has taken it, or it was cancelled.
 */
export async function takePostponed(
  db: Db,
  { sealing }: Pick<Platform, 'sealing'>,
  { projectId, runId, number }: PostponedKey,
): Promise<ReadyMail | undefined> {
  const row = await db.one<{ moduleId: string; homeId: string | null; content: Buffer }>(sql`
    delete from postponed_mails p using devices d
    where p.project_id = ${projectId} and p.run_id = ${runId} and p.number = ${number}
      and d.project_id = p.project_id and d.id = p.device_id
    returning p.module_id as "moduleId", p.content,
      (case when d.home_id = p.home_id then p.home_id end)::text as "homeId"`);
  if (!row) return undefined;
  const { mail, name } = JSON.parse(sealing.open(row.content)) as { mail: ReadyMail['mail']; name: string };
  return {
    mail,
    module: { projectId, id: row.moduleId },
    device: { name, homeId: row.homeId ?? undefined },
  };
}

/** Cancels the e-mails of a module that was suspended. */
export async function dropPostponed(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await db.run(sql`delete from postponed_mails where project_id = ${projectId} and module_id = ${id}`);
}

/** Cancels the e-mails about a device from before a time: they say what it reported in another home. */
export async function wipePostponed(
  db: Db,
  { projectId, deviceId, until }: Pick<Released, 'projectId' | 'deviceId' | 'until'>,
): Promise<boolean> {
  await db.run(sql`
    delete from postponed_mails
    where project_id = ${projectId} and device_id = ${deviceId} and created_at < ${until}`);
  return false;
}
