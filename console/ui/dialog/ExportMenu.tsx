import { buttonClass } from '#console/ui/Button.tsx';
import { ChevronDownIcon } from '#console/ui/icons/icons.tsx';
import { Menu } from './Menu.tsx';

interface ExportMenuProps<Format extends string> {
  /** The number of items: "1 device"; undefined while not known. */
  said: string | undefined;
  forms: readonly { format: Format; label: string; note: string }[];
  onExport: (format: Format) => void;
}

/** The format of an export, and how many items it will have. */
export function ExportMenu<Format extends string>({ said, forms, onExport }: ExportMenuProps<Format>) {
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
      items={forms.map(({ format, label, note }) => ({ label, note, run: () => onExport(format) }))}
    />
  );
}
