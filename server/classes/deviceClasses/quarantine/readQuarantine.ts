import type { DeviceClass } from '#contract/deviceClass.ts';
import {
  clearQuarantine,
  listQuarantine,
  listQuarantineCauses,
  type QuarantineCause,
  type QuarantinedMessage,
  quarantineCausesMax,
} from '#contract/quarantine.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { type Call, on, type Route } from '#server/api/endpoints/route.ts';
import { quarantineMax } from '#server/classes/deviceClasses/store.ts';
import { contains } from '#server/infra/db/contains.ts';
import { type Db, empty, raw, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';

interface Row {
  id: string;
  ts: Date;
  deviceId: string;
  kind: QuarantinedMessage['kind'];
  name: string | null;
  payload: QuarantinedMessage['payload'];
  faults: QuarantinedMessage['faults'];
}

export const quarantineRoutes: Route[] = [
  on(listQuarantine, call => messagesOf(call)),

  on(listQuarantineCauses, ({ db, row }) => causesOf(db, row)),

  on(clearQuarantine, async ({ db, row }) => {
    const { projectId, id } = row;
    await db.run(sql`delete from quarantine where project_id = ${projectId} and device_class = ${id}`);
  }),
];

/** Counts and skips no more than the quarantine keeps. */
async function messagesOf({
  db,
  query,
  page,
  row,
}: Call<typeof listQuarantine>): Promise<{ items: QuarantinedMessage[]; total: number }> {
  const { projectId, id } = row;
  const { deviceId } = query;
  const order = raw(page.descending ? 'desc' : 'asc');
  const matching = sql`
    from (
      select * from quarantine where project_id = ${projectId} and device_class = ${id}
      order by ts desc, id desc limit ${quarantineMax}) q
    where true ${deviceId === undefined ? empty : sql`and device_id = ${deviceId}`}
      ${page.search ? found(page.search) : empty}`;
  const rows = await db.many<Row>(sql`
    select id, ts, device_id as "deviceId", kind, name, payload, faults ${matching}
    order by ts ${order}, id ${order} limit ${page.limit} offset ${page.skip}`);
  const counted = await db.one<{ total: number }>(sql`select count(*)::int as total ${matching}`);
  return { items: rows.map(toMessage), total: counted?.total ?? 0 };
}

type Cause = Omit<QuarantineCause, 'name' | 'lastAt'> & { name: string | null; lastAt: Date };

async function causesOf(
  db: Db,
  { projectId, id }: Pick<DeviceClass, 'projectId' | 'id'>,
): Promise<QuarantineCause[]> {
  const rows = await db.many<Cause>(sql`
    select kind, name, fault, count(*)::int as messages, count(distinct device_id)::int as devices,
      max(ts) as "lastAt"
    from (
      select kind, name, (faults -> 0)::jsonb as fault, device_id, ts from quarantine
      where project_id = ${projectId} and device_class = ${id}
      order by ts desc, id desc limit ${quarantineMax}) kept
    group by kind, name, fault order by count(*) desc, max(ts) desc limit ${quarantineCausesMax}`);
  return rows.map(({ name, lastAt, ...cause }) => ({
    ...cause,
    ...(name !== null && { name }),
    lastAt: lastAt.toISOString(),
  }));
}

/** Matches device id and event name. */
function found(search: string) {
  return sql`and ${contains(sql`search_text(device_id || ' ' || coalesce(name, ''))`, search)}`;
}

function toMessage({ ts, name, ...message }: Row): QuarantinedMessage {
  return { ...message, ts: ts.toISOString(), ...(name !== null && { name }) };
}

export const quarantineChores: readonly Chore[] = [
  {
    name: 'quarantined messages',
    deletes: now => sql`
      delete from quarantine where (project_id, device_class, ts, id) in (
        select project_id, device_class, ts, id from quarantine where ts < ${daysBefore(now, retentionDays.deviceMessages)}
        limit ${batch}) returning 1`,
  },
];
