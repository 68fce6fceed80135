import { listDevices, readDevice } from '#contract/device.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { listFindings, readConnectedHistory } from '#contract/fleet.ts';
import { pageSizeDefault } from '#contract/paging.ts';
import { readMessageHours, readStats } from '#contract/stats.ts';
import { readAhead } from './openAhead.ts';

// What the screens that are opened most begin with, in the order of what stands on them. The first file holds none of it.

export function overview(params: { projectId: string }): void {
  readAhead(readStats, { params });
  readAhead(readConnectedHistory, { params, query: {} });
  readAhead(listFindings, { params });
  readAhead(readMessageHours, { params });
}

/** The first page; another, or a narrowed one, is for the list to ask for. */
export function devices({ projectId }: { projectId: string }): void {
  if (!window.location.search)
    readAhead(listDevices, { query: { projectId, limit: pageSizeDefault, skip: 0 } });
  readAhead(readStats, { params: { projectId } });
}

export function device({ deviceId }: { deviceId: string }): void {
  readAhead(readDevice, { params: { deviceId } });
  readAhead(readDeviceState, { params: { deviceId } });
}
