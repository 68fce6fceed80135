import { stableChannel } from '#console/devices/deviceWords.ts';
import { deviceQuery } from '#console/devices/instances/deviceFilters.ts';
import { isSort } from '#console/ui/list/useListState.ts';
import type { UrlState } from '#console/urlState.ts';
import { listDevices } from '#contract/device.ts';
import type { DeviceView, DeviceViewQuery } from '#contract/deviceView.ts';

/** The address of the list that shows a view. */
export function addressOf({ query }: Pick<DeviceView, 'query'>): UrlState {
  const { search, sortBy, deviceClass, claimed, channel, bundleInstalled, ...same } = query;
  return {
    q: search,
    sort: sortBy,
    class: deviceClass,
    state: same.state,
    signal: same.signal,
    claimed: claimed === undefined ? undefined : String(claimed),
    channel: channel === '' ? stableChannel : channel,
    bundle: bundleInstalled,
  };
}

/** What a view of the list at this address asks for. */
export function queryAt(url: UrlState): DeviceViewQuery {
  const { q = '', sort } = url;
  const chosen = Object.fromEntries(Object.entries(url).map(([name, value]) => [name, value ? [value] : []]));
  const {
    projectId: _,
    limit: __,
    ...query
  } = deviceQuery(
    { projectId: '', classId: undefined },
    {
      limit: 0,
      ...(q.trim() && { search: q.trim() }),
      ...(isSort(sort, listDevices.list) && sort !== listDevices.list.default && { sortBy: sort }),
    },
    chosen,
  );
  return query as DeviceViewQuery;
}

/** True: the list is asked for the same. */
export const isSame = (one: DeviceViewQuery, other: DeviceViewQuery): boolean =>
  textOf(one) === textOf(other);

const textOf = (query: DeviceViewQuery) => JSON.stringify(Object.entries(query).toSorted());
