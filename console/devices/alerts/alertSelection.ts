import type { Submit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import type { Chosen } from '#console/ui/list/ListScreen.tsx';
import {
  type AlertAction,
  type AlertState,
  actOnAlerts,
  alertIdsMax,
  changeAlert,
  type listAlerts,
} from '#contract/alert.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type AlertAct, alertsSaid } from './alertWords.ts';

/** The alerts that an action is about. `from`: those that are still in this state. */
export type AlertSelection = { projectId: string; said: string } & (
  | { id: string }
  | { ids: readonly string[]; from?: AlertState | undefined }
  | { matching: NonNullable<BodyOf<typeof actOnAlerts>['matching']> }
);

/** The chosen rows, or everything that the list finds. */
export function chosenAlerts(projectId: string, chosen: Chosen<typeof listAlerts>): AlertSelection {
  const said = alertsSaid(chosen.count);
  const { limit, skip, sortBy, cursor, ...matching } = chosen.input.query ?? {};
  if (!chosen.all) return { projectId, said, ids: [...chosen.ids], from: matching.state };
  return { projectId, said, matching };
}

export const stateAfter = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'open' } as const;

interface Performed {
  /** The job, if the action needs one. */
  job?: AlertAction | undefined;
  /** Those of the named alerts that were changed. */
  changed: readonly string[];
  /** Resolves once the lists on screen show it. */
  shown: Promise<void>;
}

export async function performOnAlerts(
  submit: Submit,
  act: AlertAct,
  selection: AlertSelection,
  note = '',
): Promise<Performed> {
  const { projectId } = selection;
  const given = note === '' ? {} : { note };
  const changed: string[] = [];
  let job: AlertAction | undefined;
  if ('id' in selection) {
    const body = { state: stateAfter[act], ...given };
    await submit(changeAlert, { params: { alertId: selection.id }, body });
    changed.push(selection.id);
  } else if ('matching' in selection) {
    const body = { action: act, ...given, matching: selection.matching };
    job = await submit(actOnAlerts, { params: { projectId }, body });
  } else {
    const { from } = selection;
    for (let at = 0; at < selection.ids.length; at += alertIdsMax) {
      const ids = selection.ids.slice(at, at + alertIdsMax);
      const body = { action: act, ...given, ...(from && { from }), ids };
      changed.push(...((await submit(actOnAlerts, { params: { projectId }, body })).changed ?? []));
    }
  }
  return { job, changed, shown: invalidate(actOnAlerts, { projectId }) };
}
