import { type Command, type commandStages, pendingCommandsMax } from '#contract/command.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';

export type Stage = (typeof commandStages)[number];

export interface CommandRow {
  id: string;
  projectId: string;
  deviceId: string;
  name: string;
  args: Command['args'];
  stage: Stage;
  sentBy: Command['sentBy'];
  calledAt: Date | null;
  requestId: string | null;
  createdAt: Date;
  expiresAt: Date;
  sentAt: Date | null;
  acknowledgedAt: Date | null;
  finishedAt: Date | null;
  answeredLateAt: Date | null;
  result: Command['result'] | null;
  error: string | null;
}

/** Identifies the device whose commands are meant. */
export interface CommandKey {
  projectId: string;
  deviceId: string;
  commandId: string;
}

/** Columns of `device_commands c`. */
export const commandColumns = sql`
  c.id, c.project_id as "projectId", c.device_id as "deviceId", c.name, c.args, c.stage, c.sent_by as "sentBy",
  c.called_at as "calledAt", c.request_id as "requestId",
  c.created_at as "createdAt", c.expires_at as "expiresAt", c.sent_at as "sentAt",
  c.acknowledged_at as "acknowledgedAt", c.finished_at as "finishedAt",
  c.answered_late_at as "answeredLateAt", c.result, c.error`;

const totalMax = 10_000;

export function toCommand(row: CommandRow): Command {
  const { id, deviceId, name, args, stage, sentBy, result, error } = row;
  const { calledAt, requestId, sentAt, acknowledgedAt, finishedAt, answeredLateAt } = row;
  return {
    id,
    deviceId,
    name,
    args,
    stage,
    sentBy,
    ...(calledAt && { calledAt: calledAt.toISOString() }),
    ...(requestId !== null && { requestId }),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ...(sentAt && { sentAt: sentAt.toISOString() }),
    ...(acknowledgedAt && { acknowledgedAt: acknowledgedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(answeredLateAt && { answeredLateAt: answeredLateAt.toISOString() }),
    ...(result !== null && { result }),
    ...(error !== null && { error }),
  };
}

/** The facts needed to decide whether a command can be stored. */
interface Tried {
  suspended: boolean;
  /** The schema of its arguments. */
  schema: unknown;
  /** The number of pending commands of the device, counted up to the limit. */
  open: number;
  isKept: boolean;
}

/**
 * Stores a command if the device exists, is not suspended and has room, and the arguments were validated or
 * have no schema. Undefined: the device does not exist.
 */
export function insertCommand(
  db: Db,
  given: CommandRow,
  { isChecked, openMax }: { isChecked: boolean; openMax: number },
): Promise<Tried | undefined> {
  const { projectId, deviceId, name } = given;
  return db.one<Tried>(sql`
    with device as (
      select d.project_id, d.id, d.suspended, c.command_schemas -> ${name} as schema, (
        select count(*)::int from (
          select from device_commands o
          where o.device_id = ${deviceId} and o.stage in ('queued', 'sent', 'acknowledged')
          limit ${pendingCommandsMax}) as open) as open
      from devices d join device_classes c on c.project_id = d.project_id and c.id = d.device_class
      where d.project_id = ${projectId} and d.id = ${deviceId} for key share of d),
    kept as (
      insert into device_commands
        (project_id, device_id, id, name, args, stage, sent_by, called_at, request_id, created_at, expires_at, sent_at)
      select project_id, id, ${given.id}, ${name}, ${JSON.stringify(given.args)}::json, ${given.stage},
        ${JSON.stringify(given.sentBy)}::jsonb, ${given.calledAt}::timestamptz, ${given.requestId}::text,
        ${given.createdAt}, ${given.expiresAt}, ${given.sentAt}::timestamptz
      from device where not suspended and (schema is null or ${isChecked}) and open < ${openMax}
      returning 1)
    select suspended, schema, open, exists (select from kept) as "isKept" from device`);
}

/** Serializes counting the commands of this device until the transaction ends. */
export async function lockOpen(db: Db, deviceId: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`commands of ${deviceId}`}, 0))`);
}

export function findCommand(db: Db, key: CommandKey): Promise<CommandRow | undefined> {
  return db.one<CommandRow>(sql`select ${commandColumns} from device_commands c where ${named(key)}`);
}

/** Ids sort by creation time. The total is counted up to a limit. */
export async function commandsOf(
  db: Db,
  { projectId, deviceId }: Omit<CommandKey, 'commandId'>,
  { stage, since }: { stage?: Stage | undefined; since?: Date },
  page: PageAsked,
): Promise<{ items: Command[]; total: number; totalIsLowerBound?: true }> {
  const matching = sql`
    from device_commands c where c.project_id = ${projectId} and c.device_id = ${deviceId}
      ${stage === undefined ? empty : sql`and c.stage = ${stage}`}
      ${since === undefined ? empty : sql`and c.created_at >= ${since}`} ${page.search ? found(page.search) : empty}`;
  const counted = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (select 1 ${matching} limit ${totalMax + 1}) as counted`);
  const rows = await db.many<CommandRow>(sql`
    select ${commandColumns} ${matching} order by c.id ${page.descending ? sql`desc` : sql`asc`}
    limit ${page.limit} offset ${page.skip}`);
  const total = counted?.total ?? 0;
  return {
    items: rows.map(toCommand),
    total: Math.min(total, totalMax),
    ...(total > totalMax && { totalIsLowerBound: true as const }),
  };
}

/**
 * Returns false if the command does not exist or was already sent: only a `queued` command can be cancelled.
 */
export async function cancelQueued(db: Db, key: CommandKey, now: Date): Promise<boolean> {
  const changed = await db.run(sql`
    update device_commands c set stage = 'cancelled', finished_at = ${now}
    where ${named(key)} and c.stage = 'queued'`);
  return changed > 0;
}

function named({ projectId, deviceId, commandId }: CommandKey): Sql {
  return sql`c.project_id = ${projectId} and c.device_id = ${deviceId} and c.id = ${commandId}`;
}

function found(search: string): Sql {
  return sql`and ${contains(sql`search_text(c.id || ' ' || c.name)`, search)}`;
}
