import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { ExportMenu } from '#console/ui/dialog/ExportMenu.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import type { Chosen, Found } from '#console/ui/list/ListScreen.tsx';
import type { DeviceRow, listDevices } from '#contract/device.ts';
import { actOnDevices, readDeviceAction } from '#contract/deviceBulk.ts';
import { ActDialog } from './ActDialog.tsx';
import { type Act, chosenDevices, type DeviceSelection, devicesSaid, oneDevice } from './deviceSelection.ts';
import { SelectionActions } from './SelectionActions.tsx';
import { exportForms, type useExport } from './useExport.ts';

export interface Acting {
  act: Act;
  selection: DeviceSelection;
  channel?: string;
  clear?: () => void;
}

export function actingOn(act: Act, projectId: string, row: DeviceRow): Acting {
  return { act, selection: oneDevice(projectId, row), channel: row.channel };
}

interface ListActionsProps {
  found: Found<typeof listDevices>;
  exporting: ReturnType<typeof useExport>;
  onImport: () => void;
}

export function ListActions({ found: { input, count }, exporting, onImport }: ListActionsProps) {
  return (
    <>
      <Button onClick={onImport}>Import</Button>
      <ExportMenu
        said={count && devicesSaid(count)}
        forms={exportForms}
        onExport={format => exporting.matching(format, input.query)}
      />
    </>
  );
}

export function selectionActionsOf(
  exporting: ReturnType<typeof useExport>,
  onActing: (acting: Acting) => void,
  fileClass: string | undefined,
) {
  return (chosen: Chosen<typeof listDevices>, clear: () => void) => (
    <SelectionActions
      chosen={chosen}
      onAct={act => onActing({ act, selection: chosenDevices(exporting.projectId, chosen), clear })}
      onExport={
        fileClass === undefined ? undefined : format => exportChosen(exporting, chosen, format, fileClass)
      }
    />
  );
}

function exportChosen(
  exporting: ReturnType<typeof useExport>,
  { all, input, ids }: Chosen<typeof listDevices>,
  format: 'json' | 'csv',
  deviceClass: string,
): void {
  const asked = { ...input.query, deviceClass };
  if (all) exporting.matching(format, asked);
  else void exporting.chosen(format, asked, [...ids]);
}

/** How an action on many devices is followed, and what it is called while it runs and when it is done. */
export const deviceActs = {
  read: readDeviceAction,
  act: actOnDevices,
  noun: 'device',
  words: {
    suspend: { doing: 'Suspending', done: 'Suspended' },
    resume: { doing: 'Resuming', done: 'Resumed' },
    move: { doing: 'Moving', done: 'Moved' },
    delete: { doing: 'Deleting', done: 'Deleted' },
  },
} as const;

/** A running job is named in the address, where `BulkProgress` finds it. */
export function ActOnChosen({
  acting: { clear, ...acting },
  onClose,
}: {
  acting: Acting;
  onClose: () => void;
}) {
  const [, changeUrl] = useUrlState();
  return (
    <ActDialog
      {...acting}
      onClose={onClose}
      onDone={async job => {
        clear?.();
        if (job?.state === 'running') changeUrl({ action: job.id }, { replace: true });
      }}
    />
  );
}

/** Absent: the member may not do this. */
interface Deeds {
  act: ((act: Act) => void) | undefined;
  simulate: (() => void) | undefined;
}

export function menuOf(row: DeviceRow, { act, simulate }: Deeds): (MenuItem | 'line')[] {
  const copyId = () => void copy(row.id).then(copied => copied && toast('Id copied'));
  return [
    { label: 'Copy id', run: copyId },
    ...(simulate ? [{ label: 'Simulate', run: simulate }] : []),
    ...(act
      ? ([
          { label: 'Move to channel', run: () => act('move') },
          'line',
          row.suspended
            ? { label: 'Resume device', run: () => act('resume') }
            : { label: 'Suspend device', run: () => act('suspend') },
          { label: 'Delete device', danger: true, run: () => act('delete') },
        ] as const)
      : []),
  ];
}
