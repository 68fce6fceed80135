import { type DesiredChange, desiredChangesMax } from '#contract/desiredChange.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

export interface DesiredChangeRow {
  projectId: string;
  deviceId: string;
  version: number;
  patch: DesiredChange['patch'];
  setBy: DesiredChange['setBy'];
  calledAt: Date | null;
  requestId: string | null;
  createdAt: Date;
  sentAt: Date | null;
  acknowledgedAt: Date | null;
  reportedAt: Date | null;
  replacedAt: Date | null;
}

/** A change that its device has not reported yet. */
export interface OpenChange extends DesiredChangeRow {
  /** The runs of modules that led to it, first to last. */
  causedBy: string[];
}

/** Columns of `desired_changes c`. */
const changeColumns = sql`
  c.project_id as "projectId", c.device_id as "deviceId", c.version, c.patch, c.set_by as "setBy",
  c.called_at as "calledAt", c.request_id as "requestId", c.created_at as "createdAt", c.sent_at as "sentAt",
  c.acknowledged_at as "acknowledgedAt", c.reported_at as "reportedAt", c.replaced_at as "replacedAt"`;

export function toDesiredChange(row: DesiredChangeRow): DesiredChange {
  const { deviceId, version, patch, setBy, requestId, createdAt } = row;
  const { calledAt, sentAt, acknowledgedAt, reportedAt, replacedAt } = row;
  return {
    deviceId,
    version,
    patch,
    stage: stageOf(row),
    setBy,
    ...(calledAt && { calledAt: calledAt.toISOString() }),
    ...(requestId !== null && { requestId }),
    createdAt: createdAt.toISOString(),
    ...(sentAt && { sentAt: sentAt.toISOString() }),
    ...(acknowledgedAt && { acknowledgedAt: acknowledgedAt.toISOString() }),
    ...(reportedAt && { reportedAt: reportedAt.toISOString() }),
    ...(replacedAt && { replacedAt: replacedAt.toISOString() }),
  };
}

function stageOf(row: DesiredChangeRow): DesiredChange['stage'] {
  const { createdAt, sentAt, acknowledgedAt, reportedAt, replacedAt } = row;
  if (reportedAt) return reportedAt.getTime() === createdAt.getTime() ? 'unchanged' : 'reported';
  if (replacedAt) return 'replaced';
  if (acknowledgedAt) return 'acknowledged';
  return sentAt ? 'sent' : 'stored';
}

/** Adds a change, and deletes the oldest one beyond the limit. */
export async function insertChange(db: Db, row: DesiredChangeRow): Promise<void> {
  const { projectId, deviceId, version } = row;
  await db.run(sql`
    with old as (
      delete from desired_changes where project_id = ${projectId} and device_id = ${deviceId}
        and version <= ${version - desiredChangesMax})
    insert into desired_changes
      (project_id, device_id, version, patch, set_by, called_at, request_id, created_at, reported_at)
    values (${projectId}, ${deviceId}, ${version}, ${JSON.stringify(row.patch)}, ${JSON.stringify(row.setBy)},
      ${row.calledAt}, ${row.requestId}, ${row.createdAt}, ${row.reportedAt})`);
}

/** The newest changes before a time, and those of that time below a version; there are at most `desiredChangesMax`. */
export async function changesBefore(
  db: Db,
  {
    projectId,
    deviceId,
    begin,
    before,
    limit,
  }: {
    projectId: string;
    deviceId: string;
    begin: Date;
    before: { at: Date; version: number };
    limit: number;
  },
): Promise<DesiredChange[]> {
  const rows = await db.many<DesiredChangeRow>(sql`
    select ${changeColumns} from desired_changes c
    where c.project_id = ${projectId} and c.device_id = ${deviceId} and c.created_at >= ${begin}
      and (c.created_at, c.version) < (${before.at}, ${before.version})
    order by c.created_at desc, c.version desc limit ${limit}`);
  return rows.map(toDesiredChange);
}

/** The changes that their devices have not reported yet. */
export function openChanges(
  db: Db,
  devices: readonly { projectId: string; id: string }[],
): Promise<OpenChange[]> {
  return db.many<OpenChange>(sql`
    select ${changeColumns}, c.caused_by as "causedBy" from unnest(
      ${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ id }) => id)}::text[]
    ) as asked (project_id, device_id)
    join desired_changes c on c.project_id = asked.project_id and c.device_id = asked.device_id
      and c.reported_at is null and c.replaced_at is null`);
}

/** Ends changes: the device reported them, or later ones replaced them. */
export function endChanges(
  db: Db,
  how: 'reported' | 'replaced',
  ended: readonly { projectId: string; deviceId: string; version: number; at: Date }[],
): Promise<DesiredChangeRow[]> {
  const column = how === 'reported' ? sql`reported_at` : sql`replaced_at`;
  return db.many<DesiredChangeRow>(sql`
    update desired_changes c set ${column} = e.at from unnest(
      ${ended.map(one => one.projectId)}::text[], ${ended.map(one => one.deviceId)}::text[],
      ${ended.map(one => one.version)}::int[], ${ended.map(one => one.at)}::timestamptz[]
    ) as e (project_id, device_id, version, at)
    where c.project_id = e.project_id and c.device_id = e.device_id and c.version = e.version
    returning ${changeColumns}`);
}

/** A device was sent its desired state, which includes all changes up to this version. */
export interface Handing {
  projectId: string;
  deviceId: string;
  version: number;
  what: 'sent' | 'acknowledged';
  at: Date;
}

/** Returns the changes whose stage this advances. */
export function markHanded(db: Db, handings: readonly Handing[]): Promise<DesiredChangeRow[]> {
  return db.many<DesiredChangeRow>(sql`
    update desired_changes c set sent_at = coalesce(c.sent_at, h.sent_at),
      acknowledged_at = coalesce(c.acknowledged_at, h.acknowledged_at)
    from (
      select project_id, device_id, version, min(at) as sent_at,
        min(at) filter (where what = 'acknowledged') as acknowledged_at
      from unnest(
        ${handings.map(one => one.projectId)}::text[], ${handings.map(one => one.deviceId)}::text[],
        ${handings.map(one => one.version)}::int[], ${handings.map(one => one.what)}::text[],
        ${handings.map(one => one.at)}::timestamptz[]
      ) as h (project_id, device_id, version, what, at)
      group by project_id, device_id, version) h
    where c.project_id = h.project_id and c.device_id = h.device_id
      -- A device can report faster than its acknowledgement is noted.
      and (c.version = h.version or (c.version < h.version and c.reported_at is null and c.replaced_at is null))
      and (c.sent_at is null or (c.acknowledged_at is null and h.acknowledged_at is not null))
    returning ${changeColumns}`);
}

/** The changes of a device, `since` it has belonged to its home. */
export async function changesOf(
  db: Db,
  { projectId, deviceId, since }: { projectId: string; deviceId: string; since?: Date },
  page: PageAsked,
): Promise<{ items: DesiredChange[]; total: number }> {
  const text = sql`search_text(c.patch::text || ' ' || (c.set_by ->> 'displayName'))`;
  return pageOf(db, {
    columns: changeColumns,
    from: sql`desired_changes c`,
    key: sql`c.version`,
    page,
    orders: { version: 'c.version' },
    where: sql`c.project_id = ${projectId} and c.device_id = ${deviceId}
      ${since === undefined ? empty : sql`and c.created_at >= ${since}`}
      ${page.search ? sql`and ${contains(text, page.search)}` : empty}`,
    as: toDesiredChange,
  });
}
