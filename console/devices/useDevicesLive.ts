import { useEffect, useRef } from 'react';
import { invalidateReads, queryClient } from '#console/api.ts';
import { useLive } from '#console/live/live.ts';
import { pathOf } from '#contract/client.ts';
import { type DeviceRow, editDevice, listDevices } from '#contract/device.ts';
import type { Page } from '#contract/paging.ts';

/** Devices come and go all the time; the screen need not follow each one by itself. */
const atMostEveryMs = 1500;
const countsEveryMs = 4000;

/** Keeps the counts of connected devices fresh: what a device is counted in, it is when it is edited as well. */
export function useDeviceCountsLive(): void {
  const soon = useSoon(() => invalidateReads(editDevice.makesOld), countsEveryMs);
  useLive('devices', soon);
}

/** Keeps the list of devices fresh: asks anew when one of those on screen came or went; with `any`, when any did. */
export function useDeviceListLive(any: boolean): void {
  const queryKey = [pathOf(listDevices, {})];
  const soon = useSoon(() => {
    void queryClient.invalidateQueries({ queryKey });
    invalidateReads(['devicePulses']);
  }, atMostEveryMs);
  useLive('devices', ({ deviceIds }) => {
    const pages = queryClient.getQueriesData<Page<DeviceRow>>({ queryKey, type: 'active' });
    const isShown = ({ id }: DeviceRow) => deviceIds === null || deviceIds.includes(id);
    if (any || pages.some(([, page]) => page?.items.some(isShown))) soon();
  });
}

/** The same for devices that are on screen by other reads: `refresh` asks for them anew when one came or went. */
export function useTheseDevicesLive(ids: readonly string[], refresh: () => void): void {
  const soon = useSoon(() => {
    refresh();
    invalidateReads(['devicePulses']);
  }, atMostEveryMs);
  useLive('devices', ({ deviceIds }) => {
    if (deviceIds === null || deviceIds.some(id => ids.includes(id))) soon();
  });
}

/** Done once for all that asked for it meanwhile: the first at once, the next when some time has gone by. */
function useSoon(work: () => void, everyMs: number): () => void {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const doneAt = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(0, doneAt.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      doneAt.current = Date.now();
      latest.current();
    }, waitMs);
  };
}
