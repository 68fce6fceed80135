import { invalidateReads, queryClient, readOptions } from '#console/core/client.ts';
import { useLive } from '#console/core/live/live.ts';
import { pathOf } from '#contract/client.ts';
import { type Command, listCommands } from '#contract/command.ts';
import { type DesiredChange, listDesiredChanges } from '#contract/desiredChange.ts';
import { type Device, readDevice } from '#contract/device.ts';
import { checkDevice } from '#contract/deviceHealth.ts';
import { type DeviceEvent, type DeviceState, readDeviceState } from '#contract/deviceState.ts';
import type { DeviceNews } from '#contract/live.ts';
import type { Page } from '#contract/paging.ts';
import { readPresence } from '#contract/presence.ts';
import { rememberChange, rememberStage } from './activity/latestStage.ts';

/** Puts what the live link says about the device on screen into the cache at once. */
export function useLiveDevice(deviceId: string): void {
  const params = { deviceId };
  useLive('device', ({ deviceId: about, what, data }) => {
    if (about !== deviceId) return;
    const write: { [What in DeviceNews]?: () => void } = {
      presence() {
        put(readOptions(readDevice, { params }).queryKey, data as Device);
        void queryClient.invalidateQueries({ queryKey: [pathOf(readPresence, params)] });
        void queryClient.invalidateQueries({ queryKey: [pathOf(checkDevice, params)] });
        invalidateReads(['connections']);
      },
      state() {
        const state = data as DeviceState;
        put(readOptions(readDeviceState, { params }).queryKey, state);
        updateLastMessage(deviceId, state.reportedAt);
      },
      desiredChange: () => putDesiredChange(deviceId, rememberChange(data as DesiredChange)),
      event: () => updateLastMessage(deviceId, (data as DeviceEvent).ts),
      command: () => putCommand(deviceId, rememberStage(data as Command)),
      logRequest: () => invalidateReads(['logRequests']),
      quarantine: () => invalidateReads(['quarantine']),
    };
    write[what]?.();
  });
}

/** A read that is in flight may have been answered before this change, and must not overwrite it with old data. */
function put(queryKey: readonly unknown[], data: Device | DeviceState): void {
  const isUnderWay = queryClient.isFetching({ queryKey, exact: true }) > 0;
  queryClient.setQueryData(queryKey, data);
  if (!isUnderWay) return;
  void queryClient
    .cancelQueries({ queryKey, exact: true }, { revert: false })
    .then(() => queryClient.invalidateQueries({ queryKey, exact: true }));
}

/** Advances the time of the last message, never back. */
function updateLastMessage(deviceId: string, at: string | undefined): void {
  const { queryKey } = readOptions(readDevice, { params: { deviceId } });
  queryClient.setQueryData<Device>(queryKey, device => {
    const { lastMessageAt = '' } = device?.connection ?? {};
    if (!device || !at || at <= lastMessageAt) return device;
    return { ...device, connection: { ...device.connection, lastMessageAt: at } };
  });
}

function putCommand(deviceId: string, command: Command): void {
  const path = pathOf(listCommands, { deviceId });
  putInPages<Command>(path, command, ({ id }) => id === command.id);
}

function putDesiredChange(deviceId: string, change: DesiredChange): void {
  const path = pathOf(listDesiredChanges, { deviceId });
  putInPages<DesiredChange>(path, change, ({ version }) => version === change.version);
}

/** Replaces the item in the cached pages; a new item comes first. */
function putInPages<Item>(path: string, item: Item, isIt: (one: Item) => boolean): void {
  queryClient.setQueriesData<Page<Item>>({ queryKey: [path] }, page => {
    if (!page) return page;
    const isKnown = page.items.some(isIt);
    const items = isKnown ? page.items.map(one => (isIt(one) ? item : one)) : [item, ...page.items];
    return { ...page, items, total: page.total + (isKnown ? 0 : 1) };
  });
}
