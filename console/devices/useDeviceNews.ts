import { dropReads, queryClient, readOptions } from '#console/api.ts';
import { useLive } from '#console/live.ts';
import { pathOf } from '#contract/client.ts';
import { type Command, listCommands } from '#contract/command.ts';
import { type Device, readDevice, readPresence } from '#contract/device.ts';
import { type DeviceState, readDeviceState } from '#contract/deviceState.ts';
import type { DeviceNews } from '#contract/live.ts';
import type { Page } from '#contract/paging.ts';

/** What the platform tells of the device on screen is put where a read of it would be, at once. */
export function useDeviceNews(deviceId: string): void {
  const params = { deviceId };
  useLive('device', ({ deviceId: about, what, data }) => {
    if (about !== deviceId) return;
    const write: { [What in DeviceNews]?: () => void } = {
      presence() {
        queryClient.setQueryData(readOptions(readDevice, { params }).queryKey, data as Device);
        void queryClient.invalidateQueries({ queryKey: [pathOf(readPresence, params)] });
        dropReads(['connections']);
      },
      state: () =>
        queryClient.setQueryData(readOptions(readDeviceState, { params }).queryKey, data as DeviceState),
      command: () => putCommand(deviceId, data as Command),
      logRequest: () => dropReads(['logRequests']),
      quarantine: () => dropReads(['quarantine']),
    };
    write[what]?.();
  });
}

/** In the place of what it was before; a new one comes first. */
function putCommand(deviceId: string, command: Command): void {
  const queryKey = [pathOf(listCommands, { deviceId })];
  queryClient.setQueriesData<Page<Command>>({ queryKey }, page => {
    if (!page) return page;
    const isKnown = page.items.some(({ id }) => id === command.id);
    const items = isKnown
      ? page.items.map(one => (one.id === command.id ? command : one))
      : [command, ...page.items];
    return { ...page, items, total: page.total + (isKnown ? 0 : 1) };
  });
}
