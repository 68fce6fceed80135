import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { ChevronDownIcon } from '#console/ui/icons/icons.tsx';

interface ExportMenuProps<Format extends string> {
  /** How many it will be: "1 device"; undefined while nobody knows. */
  said: string | undefined;
  forms: readonly { format: Format; label: string; note: string }[];
  onExport: (format: Format) => void;
}

/** In which form, and of how many. */
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
