import type { LogRequest, logRequestStatuses } from '#contract/logRequest.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { type Db, empty, raw, type Sql, sql } from '#server/infra/db/sql.ts';

type Status = (typeof logRequestStatuses)[number];

export interface LogRequestRow {
  id: string;
  projectId: string;
  deviceId: string;
  status: Status;
  ts: Date;
  start: Date;
  end: Date;
  prefixes: string[];
  expiresAt: Date;
  finishedAt: Date | null;
  file: string | null;
  sizeBytes: string | null;
  error: string | null;
}

/** Identifies a log request. */
export interface RequestKey {
  projectId: string;
  deviceId: string;
  requestId: string;
}

const columns = sql`
  r.id, r.project_id as "projectId", r.device_id as "deviceId", r.status, r.ts, r.start_at as start, r.end_at as end,
  r.prefixes, r.expires_at as "expiresAt", r.finished_at as "finishedAt", r.file, r.size_bytes as "sizeBytes", r.error`;

const named = ({ projectId, deviceId, requestId }: RequestKey) =>
  sql`r.project_id = ${projectId} and r.device_id = ${deviceId} and r.id = ${requestId}`;

/** The same condition as in the unique index. */
const pending = sql`r.status in ('requested', 'uploading')`;

export function toLogRequest(row: LogRequestRow): LogRequest {
  const { id, deviceId, status, prefixes, sizeBytes, error, finishedAt } = row;
  return {
    id,
    deviceId,
    status,
    prefixes,
    ts: row.ts.toISOString(),
    start: row.start.toISOString(),
    end: row.end.toISOString(),
    ...(sizeBytes !== null && { sizeBytes: Number(sizeBytes) }),
    ...(error !== null && { error }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
  };
}

const orders: Record<string, string> = {
  ts: 'r.ts',
  status: 'r.status',
  start: 'r.start_at',
  end: 'r.end_at',
};

export async function requestsOf(
  db: Db,
  { projectId, deviceId }: Omit<RequestKey, 'requestId'>,
  statuses: readonly Status[] | undefined,
  page: PageAsked,
): Promise<{ items: LogRequest[]; total: number }> {
  const matching = sql`
    from log_requests r where r.project_id = ${projectId} and r.device_id = ${deviceId}
      ${statuses ? sql`and r.status = any(${statuses})` : empty}
      ${page.search ? found(page.search) : empty}`;
  const direction = page.descending ? 'desc' : 'asc';
  const rows = await db.many<LogRequestRow & { total: number }>(sql`
    select ${columns}, count(*) over ()::int as total ${matching}
    order by ${raw(`${orders[page.sortBy]} ${direction}, r.id ${direction}`)}
    limit ${page.limit} offset ${page.skip}`);
  // A page past the end has no row with the total.
  if (rows[0] || page.skip === 0) return { items: rows.map(toLogRequest), total: rows[0]?.total ?? 0 };
  const counted = await db.one<{ total: number }>(sql`select count(*)::int as total ${matching}`);
  return { items: [], total: counted?.total ?? 0 };
}

function found(search: string): Sql {
  return sql`and ${contains(sql`search_text(r.id || ' ' || array_to_string(r.prefixes, ' '))`, search)}`;
}

export function findRequest(db: Db, key: RequestKey): Promise<LogRequestRow | undefined> {
  return db.one<LogRequestRow>(sql`select ${columns} from log_requests r where ${named(key)}`);
}

export async function insertRequest(
  db: Db,
  given: Pick<
    LogRequestRow,
    'id' | 'projectId' | 'deviceId' | 'ts' | 'start' | 'end' | 'prefixes' | 'expiresAt'
  >,
): Promise<LogRequestRow | undefined> {
  const { id, projectId, deviceId, ts, start, end, prefixes, expiresAt } = given;
  return db.one<LogRequestRow>(sql`
    insert into log_requests as r (project_id, device_id, id, ts, start_at, end_at, prefixes, expires_at)
    values (${projectId}, ${deviceId}, ${id}, ${ts}, ${start}, ${end}, ${prefixes}, ${expiresAt})
    returning ${columns}`);
}

export function findPending(db: Db, projectId: string, deviceId: string): Promise<LogRequestRow | undefined> {
  return db.one<LogRequestRow>(sql`
    select ${columns} from log_requests r
    where r.project_id = ${projectId} and r.device_id = ${deviceId} and ${pending}`);
}

/** Starts or restarts an upload. Undefined if nothing is to be uploaded, or the device must not upload. */
export function startUpload(db: Db, key: RequestKey, now: Date): Promise<LogRequestRow | undefined> {
  return db.one<LogRequestRow>(sql`
    update log_requests r set status = 'uploading', uploading_at = ${now}
    from devices d join projects p on p.id = d.project_id and p.deleted_at is null
    where d.project_id = r.project_id and d.id = r.device_id and not d.suspended
      and ${named(key)} and ${pending} and r.expires_at > ${now}
    returning ${columns}`);
}

/** The device reports that it is uploading; reporting it again does not extend its time. */
export function markUploading(db: Db, key: RequestKey, now: Date): Promise<LogRequestRow | undefined> {
  return db.one<LogRequestRow>(sql`
    update log_requests r set status = 'uploading', uploading_at = ${now}
    where ${named(key)} and r.status = 'requested' returning ${columns}`);
}

export interface End {
  status: Exclude<Status, 'requested' | 'uploading'>;
  error?: string | undefined;
  file?: string;
  sizeBytes?: number;
}

/** Does not change a request that is over. */
export function finishRequest(
  db: Db,
  key: RequestKey,
  { status, error, file, sizeBytes }: End,
  now: Date,
): Promise<LogRequestRow | undefined> {
  return db.one<LogRequestRow>(sql`
    update log_requests r set status = ${status}, error = ${error ?? null}, file = ${file ?? null},
      size_bytes = ${sizeBytes ?? null}, finished_at = ${now}
    where ${named(key)} and ${pending} returning ${columns}`);
}

/** Fails some of the overdue requests; uploads that began before `uploadingBefore` are considered dead. */
export function failOverdue(
  db: Db,
  { now, uploadingBefore, limit }: { now: Date; uploadingBefore: Date; limit: number },
): Promise<LogRequestRow[]> {
  return db.many<LogRequestRow>(sql`
    update log_requests r set status = 'failure', finished_at = ${now},
      error = case when r.expires_at <= ${now} then 'The device did not answer in time.'
        else 'The upload was not finished in time.' end
    where (r.project_id, r.device_id, r.id) in (
      select r.project_id, r.device_id, r.id from log_requests r
      where ${pending} and (r.expires_at <= ${now} or r.uploading_at < ${uploadingBefore})
      limit ${limit} for update skip locked)
    returning ${columns}`);
}
