import css from '#console/devices/devices.module.css';
import { ExportMenu } from '#console/ui/dialog/ExportMenu.tsx';
import type { Chosen } from '#console/ui/list/ListScreen.tsx';
import { SelectionActs } from '#console/ui/list/Selection.tsx';
import type { listDevices } from '#contract/device.ts';
import { idsMax } from '#contract/deviceBulk.ts';
import { type Act, devicesSaid } from './deviceSelection.ts';
import { type ExportFormat, exportForms } from './useExport.ts';

interface SelectionActionsProps {
  chosen: Chosen<typeof listDevices>;
  onAct: (act: Act) => void;
  /** Absent if the devices are of several classes: a file is about one class. */
  onExport: ((format: ExportFormat) => void) | undefined;
}

const acts: readonly [Act, string][] = [
  ['suspend', 'Suspend'],
  ['resume', 'Resume'],
  ['move', 'Move to channel'],
  ['delete', 'Delete'],
];

export function SelectionActions({ chosen, onAct, onExport }: SelectionActionsProps) {
  const mayExport = onExport !== undefined && (chosen.all || chosen.ids.size <= idsMax);
  return (
    <SelectionActs
      acts={acts.map(([act, label]) => ({ label, danger: act === 'delete', run: () => onAct(act) }))}
      more={
        mayExport ? (
          <ExportMenu said={devicesSaid(chosen.count)} forms={exportForms} onExport={onExport} />
        ) : (
          onExport && (
            <span className={css.note}>To export more than {idsMax}, select all matching devices.</span>
          )
        )
      }
      moreItems={
        mayExport
          ? [
              { label: 'Export as JSON', run: () => onExport('json') },
              { label: 'Export as CSV', run: () => onExport('csv') },
            ]
          : []
      }
    />
  );
}
