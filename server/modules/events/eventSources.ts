import type { ModuleEvent } from '#contract/moduleRun.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

/** A stored event from any source. */
export interface StoredEvent {
  id: string;
  projectId: string;
  deviceId: string;
  ts: Date;
  name: string;
  payload: ModuleEvent['payload'];
  /** The runs of modules that led to it, oldest first. */
  causedBy: string[];
  /** Its transaction id, and its number among all events. */
  tx: string;
  seq: string;
}

/** A table whose rows are events for modules. */
export interface EventSource {
  /** The prefix of its ids. */
  prefix: 'evt' | 'prs' | 'stc' | 'chg';
  from: Sql;
  /** Selects a `StoredEvent`. */
  columns: Sql;
  /** The time column, which determines the partition. */
  ts: Sql;
  /** Condition for the row of an id, whose parts are in `asked`: `asked.ts` and `asked.number`. */
  isAsked: Sql;
}

/** Builds ids for rows that have none: from the millisecond and a number, by which the row is found again. */
const idOf = (prefix: string, ts: Sql, number: Sql) =>
  sql`${prefix} || floor(extract(epoch from ${ts}) * 1000)::bigint || '_' || ${number}`;

const common = sql`t.project_id as "projectId", t.device_id as "deviceId", t.tx, t.seq`;

/** The daily slot of the ring that contains a change at this time. */
const slotOf = (ts: Sql) => sql`(floor(extract(epoch from ${ts}) / 86400)::bigint % 9)`;

const deviceEvents: EventSource = {
  prefix: 'evt',
  from: sql`device_events t`,
  columns: sql`t.id, t.ts, t.name, t.payload, '{}'::text[] as "causedBy", ${common}`,
  ts: sql`t.ts`,
  isAsked: sql`t.ts = asked.ts and t.id = asked.id`,
};

const presenceChanges: EventSource = {
  prefix: 'prs',
  from: sql`presence_changes t`,
  columns: sql`${idOf('prs_', sql`t.at`, sql`t.number`)} as id, t.at as ts,
    case when t.connected then '_connected_' else '_disconnected_' end as name,
    case when t.connected then '{}' else json_build_object('reason', t.reason) end as payload,
    '{}'::text[] as "causedBy", ${common}`,
  ts: sql`t.at`,
  isAsked: sql`t.at = asked.ts and t.number = asked.number`,
};

const stateChanges: EventSource = {
  prefix: 'stc',
  // A report that changed nothing is not an event.
  from: sql`(select * from state_reports where patch is not null) t`,
  columns: sql`${idOf('stc_', sql`t.ts`, sql`t.seq`)} as id, t.ts, '_state_' as name, t.patch as payload,
    coalesce(t.caused_by, '{}') as "causedBy", ${common}`,
  ts: sql`t.ts`,
  isAsked: sql`t.ts = asked.ts and t.seq = asked.number`,
};

const deviceChanges: EventSource = {
  prefix: 'chg',
  from: sql`device_changes t`,
  columns: sql`${idOf('chg_', sql`t.ts`, sql`t.seq`)} as id, t.ts, t.name, t.payload, t.caused_by as "causedBy", ${common}`,
  ts: sql`t.ts`,
  isAsked: sql`t.ts = asked.ts and t.seq = asked.number and t.slot = ${slotOf(sql`asked.ts`)}`,
};

/** All sources of events that modules receive. */
export const eventSources: readonly EventSource[] = [
  deviceEvents,
  presenceChanges,
  stateChanges,
  deviceChanges,
];
