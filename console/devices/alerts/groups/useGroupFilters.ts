import { alertQuery } from '#console/devices/alerts/alertFilters.ts';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import { useListState } from '#console/ui/list/useListState.ts';
import { alertStates, listAlerts } from '#contract/alert.ts';
import type { Narrowing } from './groupMembers.ts';

/** The filters as the address has them; unless it says otherwise, open alerts are shown. */
export function useGroupFilters(filters: readonly Filter[]) {
  const list = useListState(listAlerts.list, filters);
  const state = alertStates.find(known => known === list.chosen.state?.[0]) ?? 'open';
  const { limit, skip, cursor, sortBy, ...query } = alertQuery(list.page, list.chosen);
  const others = Object.entries(list.chosen).filter(([id]) => id !== 'state');
  return {
    state,
    query: { ...query, state } satisfies Narrowing,
    isNarrowed: list.search !== '' || others.some(([, values]) => values.length > 0),
    clear: list.clear,
    toolbar: {
      search: list.search,
      searchFor: list.searchFor,
      chosen: { ...list.chosen, state: [state] },
      /** One state is always chosen. */
      choose: (id: string, values: string[]) => {
        if (id !== 'state' || values.length > 0) list.choose(id, values);
      },
    },
  };
}
