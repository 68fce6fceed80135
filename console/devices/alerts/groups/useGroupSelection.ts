import { useState } from 'react';
import type { Alert } from '#contract/alert.ts';
import type { AlertGroup } from '#contract/alertGroup.ts';
import type { ActedOn } from './useGroupActs.tsx';

/** Whole groups, those of their members included that are not on screen, and single alerts. */
interface Chosen {
  groups: ReadonlySet<string>;
  alerts: ReadonlyMap<string, Alert>;
}

const none: Chosen = { groups: new Set(), alerts: new Map() };

export type GroupSelection = ReturnType<typeof useGroupSelection>;

/** What is selected among groups and their members; another question clears it. */
export function useGroupSelection(question: string, groups: readonly AlertGroup[]) {
  const [kept, keep] = useState({ question, chosen: none });
  const chosen = kept.question === question ? kept.chosen : none;
  const set = (next: Chosen) => keep({ question, chosen: next });
  // A group that is gone is not acted on.
  const wholeGroups = groups.filter(({ id }) => chosen.groups.has(id));
  const alerts = [...chosen.alerts.values()];

  return {
    groups: wholeGroups,
    alerts,
    count: wholeGroups.reduce((sum, group) => sum + group.alerts, 0) + alerts.length,
    hasGroup: (group: AlertGroup) => chosen.groups.has(group.id),
    hasAlert: (group: AlertGroup, { id }: Alert) => chosen.groups.has(group.id) || chosen.alerts.has(id),
    /** Whether some of the members that are on screen are selected. */
    hasSome: (members: readonly Alert[]) => members.some(({ id }) => chosen.alerts.has(id)),
    clear: () => set(none),
    /** What was acted on is no longer selected. */
    drop: ({ groups: whole, alerts: single }: ActedOn) =>
      // By now, more may be selected.
      keep(({ question: asked, chosen: latest }) => {
        const ids = new Set(latest.groups);
        for (const { id } of whole) ids.delete(id);
        return { question: asked, chosen: { groups: ids, alerts: without(latest.alerts, single) } };
      }),
    chooseAll: (areChosen: boolean) =>
      set(areChosen ? { groups: new Set(groups.map(({ id }) => id)), alerts: new Map() } : none),
    chooseGroup(group: AlertGroup, members: readonly Alert[], isChosen: boolean) {
      const ids = new Set(chosen.groups);
      if (isChosen) ids.add(group.id);
      else ids.delete(group.id);
      set({ groups: ids, alerts: without(chosen.alerts, members) });
    },
    /** Without one member, a whole group becomes the others that are on screen. */
    chooseAlert(group: AlertGroup, alert: Alert, members: readonly Alert[], isChosen: boolean) {
      const ids = new Set(chosen.groups);
      const single = new Map(chosen.alerts);
      if (ids.delete(group.id)) for (const member of members) single.set(member.id, member);
      if (isChosen) single.set(alert.id, alert);
      else single.delete(alert.id);
      set({ groups: ids, alerts: single });
    },
  };
}

function without(alerts: ReadonlyMap<string, Alert>, members: readonly Alert[]): Map<string, Alert> {
  const rest = new Map(alerts);
  for (const { id } of members) rest.delete(id);
  return rest;
}
