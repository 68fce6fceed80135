import type { TimelineItem, TimelineKind } from '#contract/timeline.ts';
import { search } from '#server/api/logs/search.ts';
import { entriesBefore, type Sought, toEntry } from '#server/api/logs/store.ts';
import { type AlertRow, alertColumns } from '#server/devices/alerts/alert.ts';
import { type CommandRow, commandColumns, toCommand } from '#server/devices/commands/store.ts';
import { changesBefore } from '#server/devices/desiredChanges/store.ts';
import { eventsBefore } from '#server/devices/events/readEvents.ts';
import { updateSteps } from '#server/firmware/targets/updates.ts';
import { type Database, type Sql, sql } from '#server/infra/db/sql.ts';

/** Which part of which device's past is read from a source: its newest `limit` items. */
export interface Asked {
  projectId: string;
  deviceId: string;
  begin: Date;
  /** Where the items end: those before this place, of the source's own kind. */
  before: { at: Date; id: string };
  limit: number;
}

interface Found {
  items: TimelineItem[];
  /** Set if the time was up: items up to this time may be missing. */
  until?: Date;
}

type Source = (db: Database, asked: Asked) => Promise<TimelineItem[] | Found>;

/** Compares `at` alone as well, so that indexes and partitions are chosen by it. */
const isBefore = (at: Sql, id: Sql, { begin, before }: Pick<Asked, 'begin' | 'before'>): Sql =>
  sql`${at} >= ${begin} and ${at} <= ${before.at} and (${at}, ${id}) < (${before.at}, ${before.id})`;

/** Time limit for the search of the audit log. */
const searchMs = 1_000;

/** Where the items of each kind come from, newest first. */
export const sources: Record<TimelineKind, Source> = {
  async alert(db, asked) {
    const rows = await db.many<AlertRow>(sql`
      select ${alertColumns} from alerts a
      where a.project_id = ${asked.projectId} and a.device_id = ${asked.deviceId}
        and ${isBefore(sql`a.ts`, sql`a.id`, asked)}
      order by a.ts desc, a.id desc limit ${asked.limit}`);
    return rows.map(({ id, ts, severity, text, state }) => ({
      kind: 'alert',
      id,
      at: ts.toISOString(),
      alert: { severity, text, state },
    }));
  },

  async event(db, asked) {
    const events = await eventsBefore(db, asked);
    return events.map(event => ({ kind: 'event', id: event.id, at: event.ts, event }));
  },

  async log(db, { projectId, deviceId, begin, before, limit }) {
    const sought: Sought = { projectId, stream: 'system', subject: deviceId, begin, end: before.at };
    const range = { from: { ts: begin, id: '' }, before: { ts: before.at, id: before.id } };
    const rows = await entriesBefore(db, sought, range, limit);
    return rows.map(toEntry).map(entry => ({ kind: 'log', id: entry.id, at: entry.ts, entry }));
  },

  async command(db, asked) {
    const rows = await db.many<CommandRow>(sql`
      select ${commandColumns} from device_commands c
      where c.project_id = ${asked.projectId} and c.device_id = ${asked.deviceId}
        and ${isBefore(sql`c.created_at`, sql`c.id`, asked)}
      order by c.created_at desc, c.id desc limit ${asked.limit}`);
    return rows
      .map(toCommand)
      .map(command => ({ kind: 'command', id: command.id, at: command.createdAt, command }));
  },

  async desired(db, asked) {
    const { at, id } = asked.before;
    const version = id === '' ? 0 : /^\d+$/.test(id) ? Number(id) : versionMax;
    const changes = await changesBefore(db, { ...asked, before: { at, version } });
    return changes.map(change => ({
      kind: 'desired',
      id: placeOfNumber(change.version),
      at: change.createdAt,
      change,
    }));
  },

  async firmware(db, { projectId, deviceId, begin, before, limit }) {
    const steps = await updateSteps(db, { projectId, id: deviceId });
    const from = begin.toISOString();
    const end = { at: before.at.toISOString(), id: before.id };
    return steps
      .map(({ step, update }) => ({
        kind: 'firmware' as const,
        id: `${placeOfNumber(update.sequence)} ${step}`,
        at: step === 'assigned' ? update.assignedAt : update.stateAt,
        step,
        update,
      }))
      .filter(({ at, id }) => at >= from && (at < end.at || (at === end.at && id < end.id)))
      .sort((a, b) => b.at.localeCompare(a.at) || (b.id > a.id ? 1 : -1))
      .slice(0, limit);
  },

  async change(db, { projectId, deviceId, begin, before, limit }) {
    const sought: Sought = { projectId, stream: 'audit', text: deviceId, begin, end: before.at };
    const items: TimelineItem[] = [];
    const stopAt = performance.now() + searchMs;
    for await (const step of search(db, sought, { ts: before.at, id: before.id }, limit)) {
      const entries = step.rows.map(toEntry);
      items.push(...entries.map(entry => ({ kind: 'change' as const, id: entry.id, at: entry.ts, entry })));
      if (items.length >= limit) break;
      if (performance.now() > stopAt && step.searchedTo.ts > begin)
        return { items, until: step.searchedTo.ts };
    }
    return items.slice(0, limit);
  },
};

/** Greater than any version. */
const versionMax = 2 ** 31 - 1;

/** Numbers as texts of the same order. */
const placeOfNumber = (number: number): string => String(number).padStart(12, '0');
