import { useRef, useState } from 'react';
import { banner } from '#console/core/banner.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { performOnAlerts, stateAfter } from '#console/devices/alerts/alertSelection.ts';
import { type AlertAct, actWords, alertsSaid } from '#console/devices/alerts/alertWords.ts';
import { useSubmitOnceMore } from '#console/devices/alerts/useSubmitOnceMore.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UndoButton } from '#console/ui/dialog/UndoButton.tsx';
import type { Alert, AlertState } from '#contract/alert.ts';
import type { AlertGrouping } from '#contract/alertGroup.ts';
import { CallFailed } from '#contract/client.ts';
import { numberText } from '#rules/text/numberText.ts';
import { type ActedGroup, isByIds, membersQuery, type Narrowing, readMembers } from './groupMembers.ts';

/** What is acted on: whole groups, and single alerts. */
export interface ActedOn {
  groups: readonly ActedGroup[];
  alerts: readonly Alert[];
}

const undoneBy: Record<AlertState, AlertAct> = {
  open: 'reopen',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
};

/**
 * Acts at once, without a question, and offers to undo it. More alerts than one call takes are changed by a job, whose
 * progress the screen shows. What somebody else has changed in the meantime stays as it is, also when it is undone.
 */
export function useGroupActs(projectId: string, by: AlertGrouping, within: Narrowing) {
  const [, changeUrl] = useUrlState();
  const submit = useSubmitOnceMore();
  const { busy, run } = useRun();
  const startNew = useUnderWay();
  const from = within.state;

  async function act(what: AlertAct, { groups, alerts }: ActedOn, note: string): Promise<void> {
    const alertsOf = (group: ActedGroup) => readMembers(projectId, membersQuery(by, group, within));
    const named = [...alerts, ...(await Promise.all(groups.filter(isByIds).map(alertsOf))).flat()];
    const ids = named.map(({ id }) => id);
    for (const group of groups.filter(one => !isByIds(one))) {
      const matching = membersQuery(by, group, within);
      const { job } = await performOnAlerts(submit, what, { projectId, said: '', matching }, note);
      changeUrl({ action: job?.id }, { replace: true });
    }
    if (ids.length === 0) return;
    const { changed, shown } = await performOnAlerts(submit, what, { projectId, said: '', ids, from }, note);
    if (changed.length === 0) toast(`No alert was still ${from}`);
    else offerUndo(what, changed);
    await shown;
  }

  function offerUndo(what: AlertAct, ids: readonly string[]): void {
    const undo = async () => {
      toast('Undoing');
      if (!(await run(undoneBy[from], () => takeBack(what, ids)))) offerUndo(what, ids);
    };
    toast(`${actWords[what].done} ${countText(ids)}`, <UndoButton undo={() => void undo()} />);
  }

  async function takeBack(what: AlertAct, ids: readonly string[]): Promise<void> {
    const undone = { projectId, said: '', ids, from: stateAfter[what] };
    const { changed } = await performOnAlerts(submit, undoneBy[from], undone);
    const others = ids.length - changed.length;
    toast(
      others === 0
        ? 'Undone'
        : `Undone, except ${alertsSaid(numberText(others))} that somebody has changed since`,
    );
  }

  return {
    busy,
    /** Returns whether it worked; if not, the page says why. */
    act: (what: AlertAct, on: ActedOn, note = '') =>
      startNew(on, added => run(what, () => act(what, added, note))),
  };
}

const countText = (ids: readonly string[]) => alertsSaid(numberText(ids.length));

/** Runs what can fail, and says why it did. */
function useRun() {
  const [busy, setBusy] = useState<AlertAct>();
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
  return { busy, run };
}

/** A second press, before the list shows what the first one did, does nothing. */
function useUnderWay() {
  const ids = useRef(new Set<string>());
  return async ({ groups, alerts }: ActedOn, work: (on: ActedOn) => Promise<boolean>): Promise<boolean> => {
    const isNew = ({ id }: { id: string }) => !ids.current.has(id);
    const added = { groups: groups.filter(isNew), alerts: alerts.filter(isNew) };
    const mine = [...added.groups, ...added.alerts].map(({ id }) => id);
    if (mine.length === 0) return false;
    for (const id of mine) ids.current.add(id);
    try {
      return await work(added);
    } finally {
      for (const id of mine) ids.current.delete(id);
    }
  };
}
