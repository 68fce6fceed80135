import type { Submit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import type { Chosen } from '#console/ui/list/ListScreen.tsx';
import { type AlertAction, actOnAlerts, alertIdsMax, changeAlert, type listAlerts } from '#contract/alert.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type AlertAct, alertsSaid } from './alertWords.ts';

/** The alerts that an action is about. */
export type AlertSelection = { projectId: string; said: string } & (
  | { id: string }
  | { ids: readonly string[] }
  | { matching: NonNullable<BodyOf<typeof actOnAlerts>['matching']> }
);

/** The chosen rows, or everything that the list finds. */
export function chosenAlerts(projectId: string, chosen: Chosen<typeof listAlerts>): AlertSelection {
  const said = alertsSaid(chosen.count);
  if (!chosen.all) return { projectId, said, ids: [...chosen.ids] };
  const { limit, skip, sortBy, cursor, ...matching } = chosen.input.query ?? {};
  return { projectId, said, matching };
}

const stateAfter = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'open' } as const;

/** Returns the job, if the action needs one. */
export async function performOnAlerts(
  submit: Submit,
  act: AlertAct,
  selection: AlertSelection,
  note = '',
): Promise<AlertAction | undefined> {
  const { projectId } = selection;
  const given = note === '' ? {} : { note };
  let last: AlertAction | undefined;
  if ('id' in selection) {
    const body = { state: stateAfter[act], ...given };
    await submit(changeAlert, { params: { alertId: selection.id }, body });
  } else if ('matching' in selection) {
    const body = { action: act, ...given, matching: selection.matching };
    last = await submit(actOnAlerts, { params: { projectId }, body });
  } else {
    for (let from = 0; from < selection.ids.length; from += alertIdsMax) {
      const ids = selection.ids.slice(from, from + alertIdsMax);
      last = await submit(actOnAlerts, { params: { projectId }, body: { action: act, ...given, ids } });
    }
  }
  void invalidate(actOnAlerts, { projectId });
  return last;
}
