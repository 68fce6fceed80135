import { useState } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { banner } from '#console/core/banner.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { performOnAlerts } from '#console/devices/alerts/alertSelection.ts';
import { type AlertAct, actWords, alertsSaid } from '#console/devices/alerts/alertWords.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { Alert, AlertState } from '#contract/alert.ts';
import type { AlertGroup, AlertGrouping } from '#contract/alertGroup.ts';
import { CallFailed } from '#contract/client.ts';
import { numberText } from '#rules/text/numberText.ts';
import { isByIds, membersQuery, type Narrowing, readMembers } from './groupMembers.ts';
import { UndoButton } from './UndoButton.tsx';

/** What is acted on: whole groups, and single alerts. */
export interface ActedOn {
  groups: readonly AlertGroup[];
  alerts: readonly Alert[];
}

const undoneBy: Record<AlertState, AlertAct> = {
  open: 'reopen',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
};

/**
 * Acts at once, without a question, and offers to undo it. More alerts than one call takes are changed by a job, whose
 * progress the screen shows.
 */
export function useGroupActs(projectId: string, by: AlertGrouping, within: Narrowing) {
  const [, changeUrl] = useUrlState();
  const [busy, setBusy] = useState<AlertAct>();
  const submit = useSubmit();

  async function act(what: AlertAct, { groups, alerts }: ActedOn, note = ''): Promise<void> {
    const alertsOf = (group: AlertGroup) => readMembers(projectId, membersQuery(by, group, within));
    const named = [...alerts, ...(await Promise.all(groups.filter(isByIds).map(alertsOf))).flat()];
    const said = alertsSaid(numberText(named.length));
    if (named.length > 0)
      await performOnAlerts(submit, what, { projectId, said, ids: named.map(({ id }) => id) }, note);
    for (const group of groups.filter(one => !isByIds(one))) {
      const matching = membersQuery(by, group, within);
      const job = await performOnAlerts(submit, what, { projectId, said, matching }, note);
      changeUrl({ action: job?.id }, { replace: true });
    }
    if (named.length > 0)
      toast(
        `${actWords[what].done} ${said}`,
        <UndoButton
          undo={() => {
            toast('Undoing');
            void run(what, () => undo(named));
          }}
        />,
      );
  }

  /** Each alert returns to the state it had. */
  async function undo(alerts: readonly Alert[]): Promise<void> {
    for (const [state, ones] of Map.groupBy(alerts, one => one.state)) {
      const ids = ones.map(({ id }) => id);
      await performOnAlerts(submit, undoneBy[state], { projectId, said: '', ids });
    }
  }

  async function run(what: AlertAct, work: () => Promise<void>): Promise<boolean> {
    setBusy(what);
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      banner.set({ text: error.message, reason: error.reason });
      return false;
    } finally {
      setBusy(undefined);
    }
  }

  return {
    busy,
    /** Returns whether it worked; if not, the page says why. */
    act: (what: AlertAct, on: ActedOn, note?: string) => run(what, () => act(what, on, note)),
  };
}
