import type { UrlState } from '#console/core/urlState.ts';
import { filterOf } from '#console/devices/deviceFilters.ts';
import { stableChannel } from '#console/devices/deviceWords.ts';
import { isSort } from '#console/ui/list/useListState.ts';
import { listDevices } from '#contract/device.ts';
import type { DeviceView, DeviceViewQuery } from '#contract/deviceView.ts';

/** The address of the list with a view applied. */
export function addressOf({ query }: Pick<DeviceView, 'query'>): UrlState {
  const { search, sortBy, deviceClass, state, signal, claimed, channel, bundleInstalled } = query;
  return {
    q: search,
    sort: sortBy,
    class: deviceClass,
    state,
    signal,
    claimed: claimed === undefined ? undefined : String(claimed),
    channel: channel === '' ? stableChannel : channel,
    bundle: bundleInstalled,
  };
}

/** The view query that an address stands for. */
export function queryAt({ q, sort, ...url }: UrlState): DeviceViewQuery {
  const search = q?.trim();
  const chosen = Object.entries(url).flatMap(([name, value]): [string, string[]][] =>
    value ? [[name, [value]]] : [],
  );
  return {
    ...filterOf(Object.fromEntries(chosen)),
    ...(search && { search }),
    ...(isSort(sort, listDevices.list) && sort !== listDevices.list.default && { sortBy: sort }),
  };
}

/** True: both query the same list. */
export const isSame = (one: DeviceViewQuery, other: DeviceViewQuery): boolean =>
  textOf(one) === textOf(other);

const textOf = (query: DeviceViewQuery) => JSON.stringify(Object.entries(query).toSorted());
