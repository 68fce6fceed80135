import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { ChevronDownIcon } from '#console/ui/icons.tsx';
import type { ExportFormat } from './useExport.ts';

interface ExportMenuProps {
  /** How many devices it will be: "1 device"; undefined while nobody knows. */
  said: string | undefined;
  onExport: (format: ExportFormat) => void;
}

/** In which form, and of how many. */
export function ExportMenu({ said, onExport }: ExportMenuProps) {
  return (
    <Menu
      label="Export"
      head={said}
      trigger={
        <>
          <span aria-hidden="true">Export</span>
          <ChevronDownIcon size={14} />
        </>
      }
      triggerClass={buttonClass('plain')}
      items={[
        { label: 'As JSON', note: 'can be imported again', run: () => onExport('json') },
        { label: 'As CSV', note: 'for a spreadsheet', run: () => onExport('csv') },
      ]}
    />
  );
}
