import { useState } from 'react';
import { useMay } from '#console/core/membership/useMay.ts';
import { type AlertAct, alertsSaid } from '#console/devices/alerts/alertWords.ts';
import { type AlertState, actOnAlerts } from '#contract/alert.ts';
import type { AlertGroup, AlertGrouping } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';
import { fewMembers, type Narrowing } from './groupMembers.ts';
import type { GroupsView } from './groupsView.ts';
import { type ActedOn, useGroupActs } from './useGroupActs.tsx';
import { useGroupSelection } from './useGroupSelection.ts';

interface Asked {
  projectId: string;
  by: AlertGrouping;
  state: AlertState;
  query: Narrowing;
  groups: readonly AlertGroup[];
}

/** What is selected, unfolded and under way in the grouped list. */
export function useGroupsView({ projectId, by, state, query, groups }: Asked) {
  const selection = useGroupSelection(JSON.stringify([by, query]), groups);
  const { busy, act } = useGroupActs(projectId, by, query);
  const [acting, setActing] = useState<{ act: AlertAct; on: ActedOn }>();
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, number>>(new Map());
  const mayAct = useMay(actOnAlerts);
  const perform: typeof act = async (what, on, note) => {
    const worked = await act(what, on, note);
    if (worked) selection.drop(on);
    return worked;
  };
  const view: GroupsView = {
    projectId,
    by,
    state,
    within: query,
    mayAct,
    selection,
    toggle(id) {
      const next = new Map(unfolded);
      if (!next.delete(id)) next.set(id, fewMembers);
      setUnfolded(next);
    },
    act: perform,
    start: (what, on) => setActing({ act: what, on }),
  };
  return {
    view,
    busy,
    unfolded,
    unfold: (id: string, limit: number) => setUnfolded(new Map(unfolded).set(id, limit)),
    acting: acting && {
      act: acting.act,
      said: alertsSaid(numberText(countOf(acting.on))),
      run: (note: string) => perform(acting.act, acting.on, note),
      onClose: () => setActing(undefined),
    },
  };
}

function countOf({ groups, alerts }: ActedOn): number {
  return groups.reduce((sum, group) => sum + group.alerts, 0) + alerts.length;
}
