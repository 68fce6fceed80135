import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import type { Chosen } from '#console/ui/list/ListScreen.tsx';
import type { listDevices } from '#contract/device.ts';
import { idsMax } from '#contract/deviceBulk.ts';
import { type Act, devicesSaid } from './deviceSelection.ts';
import { ExportMenu } from './ExportMenu.tsx';
import type { ExportFormat } from './useExport.ts';

interface SelectionActionsProps {
  chosen: Chosen<typeof listDevices>;
  onAct: (act: Act) => void;
  /** Absent: a file is about one class, and these are of several. */
  onExport: ((format: ExportFormat) => void) | undefined;
}

const acts: readonly [Act, string][] = [
  ['suspend', 'Suspend'],
  ['resume', 'Resume'],
  ['move', 'Move to channel'],
  ['delete', 'Delete'],
];

/** What can be done with the chosen devices. */
export function SelectionActions({ chosen, onAct, onExport }: SelectionActionsProps) {
  return (
    <>
      {acts.map(([act, label]) => (
        <Button key={act} onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
      {onExport &&
        (chosen.all || chosen.ids.size <= idsMax ? (
          <ExportMenu said={devicesSaid(chosen.count)} onExport={onExport} />
        ) : (
          <span className={css.note}>To export more than {idsMax}, select all matching devices.</span>
        ))}
    </>
  );
}
