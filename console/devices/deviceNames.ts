import { useMemo, useRef } from 'react';
import { useRead } from '#console/core/api.ts';
import { listDeviceNames } from '#contract/fleet.ts';
import type { LogEntry } from '#contract/log.ts';
import { deviceName } from './deviceWords.ts';

const deviceIds = /\bdev_[0-9a-z]{26}\b/g;
const idsMax = 100;

interface Named {
  names: ReadonlyMap<string, string>;
  /** No name is known yet. */
  isAsking: boolean;
}

/**
 * The names of the devices that the entries are about, without deleted devices. Known names stay while another one is
 * read.
 */
export function useNamedDevices(projectId: string, entries: readonly LogEntry[] = []): Named {
  const found = entries.flatMap(({ text }) => text.match(deviceIds) ?? []);
  const ids = [...new Set(found)].sort().slice(0, idsMax).join(',');
  const { data, error } = useRead(
    listDeviceNames,
    { params: { projectId }, query: { ids } },
    { enabled: ids !== '' },
  );
  const known = useRef<ReadonlyMap<string, string>>(new Map());
  const names = useMemo(() => {
    const named = data?.map(device => [device.id, deviceName(device)] as const) ?? [];
    known.current = new Map([...known.current, ...named]);
    return known.current;
  }, [data]);
  return { names, isAsking: ids !== '' && !data && !error };
}

/** The same for entries on lines of their own, where a name that arrives later moves nothing. */
export function useDeviceNames(projectId: string, entries: readonly LogEntry[]): ReadonlyMap<string, string> {
  return useNamedDevices(projectId, entries).names;
}
