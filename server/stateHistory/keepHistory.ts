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
  /** The numbers that it said, by path. */
  numbers: Record<string, number> | undefined;
}

/** A report that was merged into a state. */
export interface MergedReport extends Pick<HistoryReport, 'projectId' | 'deviceId' | 'at'> {
  before: JsonObject;
  said: JsonObject;
  after: JsonObject;
}

export function historyOf({ before, said, after, ...of }: MergedReport): HistoryReport {
  return { ...of, change: changeBy(before, said), numbers: numbersSaid(after, said) };
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
    select * from unnest(
      ${reports.map(({ projectId }) => projectId)}::text[], ${reports.map(({ deviceId }) => deviceId)}::text[],
      ${reports.map(({ at }) => at)}::timestamptz[], ${arrayOf(reports.map(({ change }) => change?.patch))}::json[],
      ${arrayOf(reports.map(({ change }) => change?.undo))}::json[],
      ${arrayOf(reports.map(({ numbers }) => numbers))}::json[])`;
  await saved;
  if (reports.length > 0) await db.run(insert);
}

/** As PostgreSQL writes an array: its elements are quoted as strings of JSON are. */
function arrayOf(values: readonly (object | undefined)[]): string {
  const elements = values.map(value =>
    value === undefined ? 'null' : JSON.stringify(JSON.stringify(value)),
  );
  return `{${elements.join()}}`;
}
