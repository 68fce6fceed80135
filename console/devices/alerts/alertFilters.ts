import type { Filter } from '#console/ui/list/ListScreen.tsx';
import type { PageQuery } from '#console/ui/list/useListState.ts';
import {
  type AlertCounts,
  alertCountMax,
  alertSeverities,
  alertStates,
  type listAlerts,
} from '#contract/alert.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { idMax } from '#rules/chosenId.ts';
import { numberText } from '#rules/text/numberText.ts';
import { severities, severityWords, stateWords } from './alertWords.ts';

const countText = (count: number) => numberText(count) + (count >= alertCountMax ? '+' : '');

/** The filters of the list, with a count for each choice once the counts are known. */
export function alertFilters({
  counts,
  classes,
}: {
  counts: AlertCounts | undefined;
  classes: readonly string[] | undefined;
}): Filter[] {
  return [
    {
      id: 'state',
      label: 'State',
      single: true,
      chips: alertStates.map(state => {
        const { tone, word } = stateWords[state];
        return { value: state, label: word, tone, ...(counts && { count: countText(counts[state]) }) };
      }),
    },
    {
      id: 'severity',
      label: 'Severity',
      noneLabel: 'Any severity',
      options: severities.map(value => ({ value, label: severityWords[value].word })),
    },
    ...(classes && classes.length > 1
      ? [{ id: 'class', label: 'Class', options: classes.map(id => ({ value: id, label: id })) }]
      : []),
    { id: 'device', label: 'Device id', isRare: true },
    { id: 'module', label: 'Smart module', isRare: true },
    { id: 'home', label: 'Home id', isRare: true },
  ];
}

type Query = QueryOf<typeof listAlerts>;

/** The query for the server. An address can contain anything; values that are not valid are left out. */
export function alertQuery(page: PageQuery, chosen: Record<string, string[]>): Query {
  const one = (id: string) => chosen[id]?.[0]?.trim();
  const state = alertStates.find(known => known === one('state'));
  const severity = alertSeverities.find(known => known === one('severity'));
  const [deviceClass, deviceId, moduleId, homeId] = ['class', 'device', 'module', 'home'].map(one);
  return {
    ...page,
    ...(state && { state }),
    ...(severity && { severity }),
    ...(isIdOf(deviceClass, idMax) && { deviceClass }),
    ...(isIdOf(deviceId, 64) && { deviceId }),
    ...(isIdOf(moduleId, idMax) && { moduleId }),
    ...(homeId && /^\d{1,18}$/.test(homeId) && { homeId }),
  };
}

const isIdOf = (text: string | undefined, max: number): boolean =>
  text !== undefined && text !== '' && text.length <= max && !text.includes('\0');
