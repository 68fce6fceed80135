import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useRead } from '#console/core/api.ts';
import type { DeviceRow } from '#contract/device.ts';
import { type DevicePulse, listDevicePulses, pulsesMax } from '#contract/fleet.ts';

/** Undefined: not known yet. Null: the read failed. */
type PulseOf = (id: string) => DevicePulse | null | undefined;

const PulseContext = createContext<PulseOf>(() => undefined);

interface PulsesProps {
  projectId: string;
  rows: readonly DeviceRow[];
  /** Called when a device of the page reports a version or is updated. */
  onFirmware: () => void;
  children: ReactNode;
}

/** Reads the pulses of all rows of a page in one request once the rows are shown, and provides them to the cells. */
export function Pulses({ projectId, rows, onFirmware, children }: PulsesProps) {
  const ids = rows
    .slice(0, pulsesMax)
    .map(({ id }) => id)
    .join(',');
  const { data, error } = useRead(
    listDevicePulses,
    { params: { projectId }, query: { ids } },
    { enabled: ids !== '', refetchInterval: askAgainMs },
  );
  const known = new Map(data?.map(pulse => [pulse.id, pulse]));
  const hasFirmware = data?.some(({ firmware }) => Object.keys(firmware).length > 0) === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once
  useEffect(() => {
    if (hasFirmware) onFirmware();
  }, [hasFirmware]);
  const unknown = error && !data ? null : undefined;
  return <PulseContext value={id => known.get(id) ?? unknown}>{children}</PulseContext>;
}

const askAgainMs = 30_000;

export const usePulse = (id: string) => useContext(PulseContext)(id);
