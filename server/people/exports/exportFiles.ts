import type { ZipFile } from '#server/api/files/zip.ts';
import { type EntryRow, entryColumns, toEntry } from '#server/api/logs/store.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { ExportedDevice, ExportRow } from './exportStore.ts';

const rowsAtOnce = 500;

/** The JSON files of an export, each read while it is being written. */
export function exportFiles(db: Db, row: ExportRow): ZipFile[] {
  const byHome = Map.groupBy(row.devices, ({ home }) => home);
  const events = [...byHome].map(([home, devices]) => ({
    name: `events/home-${home}.json`,
    body: jsonArray(eventsOf(db, row.projectId, devices)),
  }));
  const homes = { name: 'homes.json', body: jsonArray(once(db, homesOf(row))) };
  if (row.homeId !== null) return [homes, ...events];
  return [
    { name: 'account.json', body: jsonArray(once(db, accountOf(row))) },
    { name: 'signInMethods.json', body: jsonArray(once(db, methodsOf(row))) },
    { name: 'sessions.json', body: jsonArray(sessionsOf(db, row)) },
    homes,
    { name: 'memberships.json', body: jsonArray(once(db, membershipsOf(row))) },
    { name: 'invitations.json', body: jsonArray(once(db, invitationsOf(row))) },
    { name: 'commands.json', body: jsonArray(commandsOf(db, row)) },
    { name: 'desiredChanges.json', body: jsonArray(desiredChangesOf(db, row)) },
    { name: 'auditLog.json', body: jsonArray(entriesOf(db, row, 'audit')) },
    { name: 'calls.json', body: jsonArray(entriesOf(db, row, 'http')) },
    ...events,
  ];
}

async function* jsonArray(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map(row => JSON.stringify(row, undefined, 2)).join(',\n');
    before = ',\n';
  }
  yield before === '[' ? '[]\n' : ']\n';
}

async function* once(db: Db, query: Sql): AsyncGenerator<object[]> {
  yield await db.many<object>(query);
}

/** Reads page after page; `next` returns the page after a row. */
async function* pages<Row>(next: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await next(last);
    yield rows;
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) return;
  }
}

const accountOf = ({ projectId, userId }: ExportRow) => sql`
  select id, email, new_email as "newEmail", name, language, external_id as "externalId", verified_at as "verifiedAt",
    suspended, created_in as "createdIn", last_seen_at as "lastSeenAt", password_set_at as "passwordSetAt",
    created_at as "createdAt"
  from users where project_id = ${projectId} and id = ${userId}`;

const methodsOf = ({ projectId, userId }: ExportRow) => sql`
  select method_id as "methodId", issuer, sub, linked_at as "linkedAt" from user_identities
  where project_id = ${projectId} and user_id = ${userId} order by linked_at`;

function sessionsOf(db: Db, { projectId, userId }: ExportRow) {
  return pages<{ id: string }>(after =>
    db.many(sql`
      select id, app_id as "appId", device_name as "deviceName", address, created_at as "createdAt",
        last_seen_at as "lastSeenAt", expires_at as "expiresAt", ended_at as "endedAt", end_reason as "endReason"
      from user_sessions where project_id = ${projectId} and user_id = ${userId} and id > ${after?.id ?? ''}
      order by id limit ${rowsAtOnce}`),
  );
}

/**
 * Lists devices only for homes in which the user is not a guest: those of the beginning, because a home that is exported
 * for its resale gives them up at the same moment.
 */
const homesOf = ({ projectId, userId, homeId, devices }: ExportRow) => sql`
  select h.id::text, h.name, h.time_zone as "timeZone", h.active, h.created_at as "createdAt",
    case when m.role <> 'guest' then (
      select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'deviceClass', d."deviceClass",
        'ownedSince', d.since) order by d.id), '[]')
      from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as d (id text, home text, name text,
        "deviceClass" text, since text)
      where d.home = h.id::text) end as devices
  from home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id
  where m.project_id = ${projectId} and m.user_id = ${userId} and h.id = coalesce(${homeId}::bigint, h.id) order by h.id`;

const membershipsOf = ({ projectId, userId }: ExportRow) => sql`
  select m.home_id::text as "homeId", m.role, m.joined_at as "joinedAt", m.guest_from as "guestFrom",
    m.guest_until as "guestUntil", m.guest_weekly as "guestWeekly",
    case when m.role = 'guest' then (
      select coalesce(json_agg(json_build_object('deviceId', g.device_id, 'mayControl', g.may_control)), '[]')
      from home_guest_devices g
      where g.project_id = m.project_id and g.home_id = m.home_id and g.user_id = m.user_id) end as "guestDevices"
  from home_members m where m.project_id = ${projectId} and m.user_id = ${userId} order by m.home_id`;

/** Invitations to the user's address, and those made by the user. */
const invitationsOf = ({ projectId, userId }: ExportRow) => sql`
  select i.id, i.home_id::text as "homeId", i.email, i.role, i.guest, i.inviter_id as "invitedBy",
    i.created_at as "createdAt", i.expires_at as "expiresAt"
  from home_invitations i join users u on u.project_id = i.project_id and u.id = ${userId}
  where i.project_id = ${projectId}
    and (i.email = u.email or (i.inviter_type = 'user' and i.inviter_id = u.id))
  order by i.created_at`;

interface CommandRow {
  id: string;
  createdAt: Date;
}

function commandsOf(db: Db, { projectId, userId }: ExportRow) {
  return pages<CommandRow>(after =>
    db.many(sql`
      select id, device_id as "deviceId", name, args, stage, created_at as "createdAt", finished_at as "finishedAt",
        result, error
      from device_commands
      where project_id = ${projectId} and sent_by ->> 'callerType' = 'user' and sent_by ->> 'id' = ${userId}
        and (created_at, id) > (${after?.createdAt ?? '-infinity'}::timestamptz, ${after?.id ?? ''})
      order by created_at, id limit ${rowsAtOnce}`),
  );
}

interface ChangeRow {
  createdAt: Date;
  deviceId: string;
  version: number;
}

function desiredChangesOf(db: Db, { projectId, userId }: ExportRow) {
  return pages<ChangeRow>(after =>
    db.many(sql`
      select device_id as "deviceId", version, patch, created_at as "createdAt", reported_at as "reportedAt"
      from desired_changes
      where project_id = ${projectId} and set_by ->> 'callerType' = 'user' and set_by ->> 'id' = ${userId}
        and (created_at, device_id, version)
          > (${after?.createdAt ?? '-infinity'}::timestamptz, ${after?.deviceId ?? ''}, ${after?.version ?? 0}::int)
      order by created_at, device_id, version limit ${rowsAtOnce}`),
  );
}

/** Only entries of actions by the user: entries about the user may contain other people. */
async function* entriesOf(db: Db, { projectId, userId }: ExportRow, stream: 'audit' | 'http') {
  const from =
    stream === 'http'
      ? sql`log_entries e where e.subject = ${userId}`
      : sql`log_people n join log_entries e
          on e.project_id = n.project_id and e.stream = n.stream and e.ts = n.ts and e.id = n.entry_id
        where n.project_id = ${projectId} and n.person = ${userId}`;
  const found = pages<EntryRow>(after =>
    db.many(sql`
      select ${entryColumns} from ${from} and e.project_id = ${projectId} and e.stream = ${stream}
        and e.actor ->> 'id' = ${userId}
        and e.ts >= ${after?.ts ?? '-infinity'}::timestamptz
        and (e.ts, e.id) > (${after?.ts ?? '-infinity'}::timestamptz, ${after?.id ?? ''})
      order by e.ts, e.id limit ${rowsAtOnce}`),
  );
  for await (const rows of found) yield rows.map(toEntry);
}

interface EventRow {
  id: string;
  ts: Date;
}

/** Events from before a device joined the home belong to someone else. */
async function* eventsOf(db: Db, projectId: string, devices: readonly ExportedDevice[]) {
  for (const { id: deviceId, since } of devices)
    yield* pages<EventRow>(after =>
      db.many(sql`
        select device_id as "deviceId", id, ts, name, payload from device_events
        where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${after?.ts ?? since}::timestamptz
          and (ts, id) > (${after?.ts ?? since}::timestamptz, ${after?.id ?? ''})
        order by ts, id limit ${rowsAtOnce}`),
    );
}
