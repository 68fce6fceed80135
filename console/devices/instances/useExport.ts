import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { CallFailed, pathOf } from '#contract/client.ts';
import type { listDevices } from '#contract/device.ts';
import { exportChosenDevices, exportDevices } from '#contract/deviceBulk.ts';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import { minuteMs } from '#rules/time/durations.ts';

export type ExportFormat = BodyOf<typeof exportChosenDevices>['format'];

export const exportForms = [
  { format: 'json', label: 'As JSON', note: 'can be imported again' },
  { format: 'csv', label: 'As CSV', note: 'for a spreadsheet' },
] as const;

/** The query of a list; the page does not matter. */
type Asked = NonNullable<QueryOf<typeof listDevices>>;

/** Exports all devices that the list finds, or the chosen ones, as a file named after the class. */
export function useExport(projectId: string) {
  const [error, setError] = useState<CallFailed>();

  /** The browser downloads the file, however large it is. */
  function matching(format: ExportFormat, asked: Asked = {}): void {
    const { projectId: _, limit, skip, sortBy, cursor, homeId, ...filters } = asked;
    const given = Object.entries({ ...filters, format }).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    download(`/api${pathOf(exportDevices, { projectId })}?${text}`, '');
  }

  async function chosen(
    format: ExportFormat,
    { deviceClass = '' }: Asked,
    ids: readonly string[],
  ): Promise<void> {
    setError(undefined);
    try {
      const body = { deviceClass, ids: [...ids], format };
      const href = URL.createObjectURL(await call(exportChosenDevices, { params: { projectId }, body }));
      download(href, `${deviceClass}.${format}`);
      setTimeout(() => URL.revokeObjectURL(href), keptMs);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }

  return { projectId, matching, chosen, error };
}

/** How long the file stays available for the browser to save, which may first ask where. */
const keptMs = minuteMs;

function download(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
