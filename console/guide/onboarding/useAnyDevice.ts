import { useRead } from '#console/core/api.ts';
import { type DeviceRow, listDevices } from '#contract/device.ts';

/** A device of the project to try things with: the newest that may connect. Null: none; undefined: not known yet. */
export function useAnyDevice(projectId: string): DeviceRow | null | undefined {
  const { data, error } = useRead(listDevices, { query: { projectId, suspended: false, limit: 1 } });
  if (data) return data.items[0] ?? null;
  return error ? null : undefined;
}
