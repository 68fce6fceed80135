import { useEffect, useRef } from 'react';
import { invalidateReads, queryClient } from '#console/core/client.ts';
import { pathOf } from '#contract/client.ts';
import { type DeviceRow, editDevice, listDevices } from '#contract/device.ts';
import type { Page } from '#contract/paging.ts';
import { useLive } from './live.ts';

/** Devices connect and disconnect all the time; the screen need not follow each one individually. */
const atMostEveryMs = 1500;
const countsEveryMs = 4000;

/** Keeps the counts of connected devices fresh: they are the same reads that editing a device invalidates. */
export function useDeviceCountsLive(): void {
  const soon = useSoon(() => invalidateReads(editDevice.makesOld), countsEveryMs);
  useLive('devices', soon);
}

/**
 * Keeps the list of devices fresh: refetches when a device on screen connects or disconnects; with `any`, when any
 * device does.
 */
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

/**
 * The same for devices that are on screen through other reads: `refresh` refetches them when one connects or
 * disconnects.
 */
export function useTheseDevicesLive(ids: readonly string[], refresh: () => void): void {
  const soon = useSoon(() => {
    refresh();
    invalidateReads(['devicePulses']);
  }, atMostEveryMs);
  useLive('devices', ({ deviceIds }) => {
    if (deviceIds === null || deviceIds.some(id => ids.includes(id))) soon();
  });
}

/** Throttles `work`: the first call runs at once, and later calls are merged into one after `everyMs`. */
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
