import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { textLines } from '#server/infra/db/textLines.ts';
import type { HistoryReport } from './historyOf.ts';

/** The columns of reports for `unnest`, which `insertReports` reads. */
export const reportLists = (reports: readonly HistoryReport[]): Sql => sql`
  ${textLines(reports.map(({ projectId }) => projectId))}, ${textLines(reports.map(({ deviceId }) => deviceId))},
  ${textLines(reports.map(({ at }) => String(at.getTime())))}, ${textLines(reports.map(({ change }) => change?.patch))},
  ${textLines(reports.map(({ change }) => change?.undo))}, ${textLines(reports.map(({ numbers }) => numbers))},
  ${textLines(reports.map(({ causedBy }) => (causedBy?.length ? `{${causedBy.join()}}` : undefined)))}`;

export const reportColumns = sql`project_id, device_id, ms, patch, undo, numbers, caused_by`;

/** The time of a report in `reports`. */
export const reportTime = sql`to_timestamp(ms::float8 / 1000)`;

/**
 * Stores the changes and numbers of reports in order: the end of a statement whose `with` contains them as `reports`.
 * The same statement saves the states, so that each list is sent and parsed only once.
 */
export const insertReports = sql`
  insert into state_reports (project_id, device_id, ts, patch, undo, numbers, caused_by)
  select project_id, device_id, ${reportTime}, patch::json, undo::json, numbers::json, caused_by::text[] from reports
  where patch is not null or numbers is not null`;

/** Stores only reports, whose states have already been saved. */
export async function storeHistory(db: Db, reports: readonly HistoryReport[]): Promise<void> {
  await db.run(sql`
    with reports as (select * from unnest(${reportLists(reports)}) as r (${reportColumns})) ${insertReports}`);
}
