import { listDevices, readDevice } from '#contract/device.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { listFindings } from '#contract/finding.ts';
import { readConnectedHistory } from '#contract/fleet.ts';
import { pageSizeDefault } from '#contract/paging.ts';
import { readMessageHours, readStats } from '#contract/stats.ts';
import { readAhead } from './openAhead.ts';

// The first reads of the screens that are opened most, in the order of their content. They are not part of the first
// file.

export function overview(params: { projectId: string }): void {
  readAhead(readStats, { params });
  readAhead(readConnectedHistory, { params, query: {} });
  readAhead(listFindings, { params });
  readAhead(readMessageHours, { params });
}

/** Reads the first page ahead; other pages and filtered lists are read by the list itself. */
export function devices({ projectId }: { projectId: string }): void {
  if (!window.location.search)
    readAhead(listDevices, { query: { projectId, limit: pageSizeDefault, skip: 0 } });
  readAhead(readStats, { params: { projectId } });
}

export function device({ deviceId }: { deviceId: string }): void {
  readAhead(readDevice, { params: { deviceId } });
  readAhead(readDeviceState, { params: { deviceId } });
}
