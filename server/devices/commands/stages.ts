import { type Db, sql } from '#server/infra/db/sql.ts';
import { type CommandRow, commandColumns } from './store.ts';

/** Identifies a command of a device. The id alone is not trusted, because it may come from another device. */
export interface CommandId {
  projectId: string;
  deviceId: string;
  id: string;
}

/** The answer of a device. */
export interface Answer extends CommandId {
  ok: boolean;
  /** As JSON. */
  result: string | null;
  error: string | null;
}

/**
 * Marks commands as sent before they are written to the connection, so that `queued` always means that no
 * device has received it and it can be cancelled. Returns the commands that can be sent, without those that are
 * cancelled, expired or answered.
 */
export async function markSent(db: Db, ids: readonly CommandId[], now: Date): Promise<CommandRow[]> {
  return db.many<CommandRow>(sql`
    update device_commands c
    set stage = case when c.stage = 'queued' then 'sent' else c.stage end, sent_at = coalesce(c.sent_at, ${now})
    from ${asked(ids)} where ${matches} and c.stage in ('queued', 'sent', 'acknowledged') and c.expires_at > ${now}
    returning ${commandColumns}`);
}

/** Returns the commands that had not been acknowledged before. */
export async function markAcknowledged(db: Db, ids: readonly CommandId[], now: Date): Promise<CommandRow[]> {
  return db.many<CommandRow>(sql`
    update device_commands c set stage = 'acknowledged', acknowledged_at = ${now}
    from ${asked(ids)} where ${matches} and c.stage = 'sent' returning ${commandColumns}`);
}

/** Returns the commands that these answers finish: the first answer in time counts. */
export async function finish(db: Db, answers: readonly Answer[], now: Date): Promise<CommandRow[]> {
  return db.many<CommandRow>(sql`
    update device_commands c
    set stage = case when said.ok then 'done' else 'failed' end, finished_at = ${now},
      -- Who answers has it.
      acknowledged_at = coalesce(c.acknowledged_at, ${now}),
      result = said.result::json, error = said.error
    ${said(answers)} and c.stage in ('queued', 'sent', 'acknowledged') and c.expires_at > ${now}
    returning ${commandColumns}`);
}

/**
 * Stores answers to commands that have expired: the device executed them nevertheless, and readers of the command must
 * know. The first answer counts. Returns the commands for which an answer was stored.
 */
export async function storeLate(db: Db, answers: readonly Answer[], now: Date): Promise<CommandRow[]> {
  return db.many<CommandRow>(sql`
    update device_commands c
    set stage = 'expired', finished_at = coalesce(c.finished_at, c.expires_at), answered_late_at = ${now},
      result = said.result::json, error = said.error
    ${said(answers)} and c.answered_late_at is null
      and c.stage in ('queued', 'sent', 'acknowledged', 'expired') and c.expires_at <= ${now}
    returning ${commandColumns}`);
}

/** The join with the answers; the query may continue with `and`. */
function said(answers: readonly Answer[]) {
  return sql`
    from unnest(
      ${answers.map(one => one.projectId)}::text[], ${answers.map(one => one.deviceId)}::text[],
      ${answers.map(one => one.id)}::text[], ${answers.map(one => one.ok)}::boolean[],
      ${answers.map(one => one.result)}::text[], ${answers.map(one => one.error)}::text[]
    ) as said (project_id, device_id, id, ok, result, error)
    where c.project_id = said.project_id and c.device_id = said.device_id and c.id = said.id`;
}

/** The ids of the commands that exist. */
export async function knownOf(db: Db, ids: readonly CommandId[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(
    sql`select c.id from device_commands c join ${asked(ids)} on ${matches}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Expires a batch of commands. */
export async function expireSome(db: Db, now: Date, limit: number): Promise<CommandRow[]> {
  return db.many<CommandRow>(sql`
    update device_commands c set stage = 'expired', finished_at = c.expires_at
    where (c.project_id, c.device_id, c.id) in (
      select project_id, device_id, id from device_commands
      where stage in ('queued', 'sent', 'acknowledged') and expires_at <= ${now}
      limit ${limit} for update skip locked)
    returning ${commandColumns}`);
}

function asked(ids: readonly CommandId[]) {
  return sql`unnest(
    ${ids.map(one => one.projectId)}::text[], ${ids.map(one => one.deviceId)}::text[], ${ids.map(one => one.id)}::text[]
  ) as asked (project_id, device_id, id)`;
}

const matches = sql`c.project_id = asked.project_id and c.device_id = asked.device_id and c.id = asked.id`;
