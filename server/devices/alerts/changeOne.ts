import type { AlertBy, AlertState } from '#contract/alert.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { type AlertRow, findAlert } from './alert.ts';
import { addChanges } from './alertChanges.ts';
import { changeAlerts, mayBe } from './changeAlerts.ts';

const words = { open: 'reopened', acknowledged: 'acknowledged', resolved: 'resolved' };

/** Sets the state of a locked alert, or adds a note to it. `said`: what was done, for the audit log. */
export async function changeOne(
  db: Db,
  row: AlertRow,
  { state, note = '' }: { state?: AlertState | undefined; note?: string | undefined },
  { by, now }: { by: AlertBy; now: Date },
): Promise<{ said: string; alert: AlertRow }> {
  const { projectId, id } = row;
  if (state !== undefined && state !== row.state) {
    if (!mayBe(row)) throw new Problem('ALERT_REPLACED');
    await changeAlerts(db, projectId, [row], { state, note, by, now });
    return { said: words[state], alert: await findAlert(db, row) };
  }
  if (note.trim() !== '') await addChanges(db, [{ projectId, alertId: id, what: 'note', at: now, by, note }]);
  return { said: 'annotated', alert: await findAlert(db, row) };
}
