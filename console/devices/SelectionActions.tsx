import { Button } from '#console/ui/Button.tsx';
import type { Chosen } from '#console/ui/ListScreen.tsx';
import type { listDevices } from '#contract/device.ts';
import { ExportMenu } from './ExportMenu.tsx';
import type { Act } from './meant.ts';

interface SelectionActionsProps {
  chosen: Chosen<typeof listDevices>;
  onAct: (act: Act) => void;
}

const acts: readonly [Act, string][] = [
  ['suspend', 'Suspend'],
  ['resume', 'Resume'],
  ['move', 'Move to channel'],
  ['delete', 'Delete'],
];

/** What can be done with the chosen devices. */
export function SelectionActions({ chosen, onAct }: SelectionActionsProps) {
  return (
    <>
      {acts.map(([act, label]) => (
        <Button key={act} onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
      <ExportMenu query={chosen.input.query} {...(!chosen.all && { ids: [...chosen.ids] })} />
    </>
  );
}
