import { buttonClass } from '#console/ui/Button.tsx';
import { ChevronDownIcon } from '#console/ui/icons.tsx';
import { Menu } from '#console/ui/Menu.tsx';
import { pathOf } from '#contract/client.ts';
import type { listDevices } from '#contract/device.ts';
import { exportDevices } from '#contract/deviceBulk.ts';
import type { QueryOf } from '#contract/endpoint.ts';

interface ExportMenuProps {
  /** What the list is asked for: its page does not matter. */
  query: QueryOf<typeof listDevices>;
  /** Only these. */
  ids?: readonly string[];
}

/** So many ids an address takes. */
const idsMax = 190;

/** All devices that the list finds, or those that were chosen, as a file named after the class. */
export function ExportMenu({ query, ids }: ExportMenuProps) {
  if (ids && ids.length > idsMax) return null;
  const { projectId, limit, skip, sortBy, cursor, homeId, ...filters } = query;
  const asked = ids ? { deviceClass: filters.deviceClass, ids: ids.join(',') } : filters;
  const hrefOf = (format: string) => {
    const given = Object.entries({ ...asked, format }).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return `/api${pathOf(exportDevices, { projectId })}?${text}`;
  };
  return (
    <Menu
      label="Export"
      trigger={
        <>
          <span aria-hidden="true">Export</span>
          <ChevronDownIcon size={14} />
        </>
      }
      triggerClass={buttonClass('plain')}
      items={[
        { label: 'As JSON', note: 'comes back by an import', run: () => download(hrefOf('json')) },
        { label: 'As CSV', note: 'for a spreadsheet', run: () => download(hrefOf('csv')) },
      ]}
    />
  );
}

/** The browser takes it from here, however large it is. */
function download(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
