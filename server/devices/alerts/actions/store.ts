import { type AlertAction, type AlertBy, alertCountMax } from '#contract/alert.ts';
import type { StateRequest } from '#server/devices/alerts/changeAlerts.ts';
import { type AlertFilter, matching } from '#server/devices/alerts/listAlerts.ts';
import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import { type BulkAction, BulkActions, progressOf } from '#server/infra/jobs/bulkActions.ts';

const stateOf = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'open' } as const;

/** The requested action, and who requested it. */
interface Asked extends Pick<AlertAction, 'note' | 'ids' | 'from' | 'matching' | 'changed'> {
  by: AlertBy;
}

type ActionName = AlertAction['action'];

/** What an action does to each of its alerts. */
export const changeOf = (action: ActionName, { note = '', by, from }: Asked, now: Date): StateRequest => ({
  state: stateOf[action],
  note,
  by,
  now,
  from,
});

export const alertActionStore = new BulkActions<ActionName, Asked>('alert_actions');

export function toAction(row: BulkAction<ActionName, Asked>): AlertAction {
  const { by: _, ...given } = row.asked;
  return { ...progressOf(row), action: row.action, ...given };
}

type Filter = AlertFilter & { search?: string | undefined };

export async function countAlerts(db: Db, filter: Filter): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from alerts a where ${matching(filter)} limit ${alertCountMax}) a`);
  return row?.count ?? 0;
}

/** The next matching alerts by id. Those raised after the request are not included. */
export async function nextAlerts(
  db: Database,
  filter: Filter,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<string[]> {
  const rows = await db.search<{ id: string }>(sql`
    select a.id from alerts a where ${matching(filter)} and a.id > ${after} and a.ts <= ${before}
    order by a.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Which of these locked alerts match: one of them may have been changed since it was found. */
export async function stillMatching(db: Db, filter: Filter, ids: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select a.id from alerts a where ${matching(filter)} and a.id = any(${ids})`);
  return rows.map(({ id }) => id);
}
