import { type Change, changeBy } from '#rules/state/changeBy.ts';
import { numbersSaid } from '#rules/state/stateNumbers.ts';
import { type Db, sql } from '#server/db/sql.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a report means for the history of its device. */
export interface HistoryReport {
  projectId: string;
  deviceId: string;
  at: Date;
  /** What it changed. */
  change: Change | undefined;
  /** The numbers that it said by path, as JSON. */
  numbers: string | undefined;
}

/** A report that was merged into a state. */
export interface MergedReport extends Pick<HistoryReport, 'projectId' | 'deviceId' | 'at'> {
  before: JsonObject;
  said: JsonObject;
  after: JsonObject;
}

export function historyOf(report: MergedReport): HistoryReport {
  const { projectId, deviceId, at, before, said, after } = report;
  return { projectId, deviceId, at, change: changeBy(before, said), numbers: numbersSaid(after, said) };
}

/**
 * Stores what reports changed, in their order, and the numbers that they said; in the transaction that saves the states.
 * What is stored is worked out at once, and sent when `saved` is: meanwhile the database is busy with that.
 */
export async function keepHistory(
  db: Db,
  all: readonly HistoryReport[],
  saved: Promise<void> = Promise.resolve(),
): Promise<void> {
  const reports = all.filter(({ change, numbers }) => change !== undefined || numbers !== undefined);
  const insert = sql`
    insert into state_reports (project_id, device_id, ts, patch, undo, numbers)
    select project_id, device_id, to_timestamp(ms::float8 / 1000), patch::json, undo::json, numbers::json from unnest(
      ${lines(reports.map(({ projectId }) => projectId))}, ${lines(reports.map(({ deviceId }) => deviceId))},
      ${lines(reports.map(({ at }) => String(at.getTime())))}, ${lines(reports.map(({ change }) => change?.patch))},
      ${lines(reports.map(({ change }) => change?.undo))}, ${lines(reports.map(({ numbers }) => numbers))}
    ) as r (project_id, device_id, ms, patch, undo, numbers)`;
  await saved;
  if (reports.length > 0) await db.run(insert);
}

/** Texts without a line feed, of which JSON has none, as an array: neither side has to quote them. Empty: null. */
const lines = (texts: readonly (string | undefined)[]) =>
  sql`string_to_array(${texts.join('\n')}, chr(10), '')`;
