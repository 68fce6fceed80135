import type { ReactNode } from 'react';
import { useState } from 'react';
import { useRead } from '#console/api.ts';
import { ClassTabs } from '#console/devices/ClassTabs.tsx';
import { useSimulator } from '#console/devices/connect/useSimulator.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ImportDevices } from '#console/devices/import/ImportDevices.tsx';
import { classInput, useDeviceClass } from '#console/devices/useDeviceClass.ts';
import { useDeviceCountsLive, useDeviceListLive } from '#console/devices/useDevicesLive.ts';
import { useMay } from '#console/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { DeviceIcon } from '#console/ui/icons.tsx';
import { type Chosen, type Found, ListScreen } from '#console/ui/list/ListScreen.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { useHashDialog, useUrlState } from '#console/urlState.ts';
import { createDevice, createTemporaryKey, type DeviceRow, listDevices } from '#contract/device.ts';
import { readDeviceFigures } from '#contract/stats.ts';
import { ActDialog } from './ActDialog.tsx';
import { ActionProgress } from './ActionProgress.tsx';
import { AddDevice } from './AddDevice.tsx';
import { type Act, chosenDevices, type DeviceSelection, devicesSaid, oneDevice } from './deviceSelection.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { instanceColumns } from './instanceColumns.tsx';
import { instanceFilters, instanceQuery } from './instanceFilters.ts';
import { SelectionActions } from './SelectionActions.tsx';
import { useExport } from './useExport.ts';

interface Acting {
  act: Act;
  selection: DeviceSelection;
  channel?: string;
  clear?: () => void;
}

/** The devices of a class: find one among a hundred thousand, see whether it is alive, act on many. */
export function Instances() {
  const { params, read } = useDeviceClass();
  const [{ connection, sort }] = useUrlState();
  useDeviceCountsLive();
  useDeviceListLive(connection !== undefined || sort?.startsWith('lastSeen') === true);
  if (read.error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${params.classId} does not exist.`} />;
  // What was chosen in one class is not chosen in another.
  return <InstanceList key={`${params.projectId} ${params.classId}`} params={params} />;
}

function InstanceList({ params }: { params: { projectId: string; classId: string } }) {
  const { projectId, classId } = params;
  const figures = useRead(readDeviceFigures, classInput(projectId, classId)).data;
  const importing = useHashDialog('import');
  const [acting, setActing] = useState<Acting>();
  const [added, setAdded] = useState<string>();
  const exporting = useExport();
  const simulator = useSimulator();
  const maySimulate = useMay(createTemporaryKey);
  const mayAdd = useMay(createDevice);
  const adding = useAdd('Add device', mayAdd);
  return (
    <ListScreen
      title={classId}
      noun="devices"
      endpoint={listDevices}
      input={(page, chosen) => ({ query: instanceQuery(params, page, chosen) })}
      cursors
      searchHint="Tag, name, id…"
      filters={instanceFilters(figures)}
      tabs={<ClassTabs params={params} />}
      columns={instanceColumns}
      rowKey={({ id }) => id}
      rowName={deviceName}
      marked={({ id }) => id === added}
      rowLink={({ id }) => ({
        to: '/projects/$projectId/devices/$deviceId',
        params: { projectId, deviceId: id },
      })}
      rowMenu={row =>
        menuOf(row, {
          act: mayAdd ? act => setActing(actingOn(act, projectId, row)) : undefined,
          simulate: maySimulate ? () => void simulator.open(row.id) : undefined,
        })
      }
      actions={
        mayAdd && (found => <ListActions found={found} exporting={exporting} onImport={importing.show} />)
      }
      create={adding.button('primary')}
      empty={
        <NoInstances
          classId={classId}
          add={adding.button('primary')}
          onImport={mayAdd ? importing.show : undefined}
        />
      }
      selectionActions={mayAdd ? selectionActionsOf(exporting, setActing) : undefined}
    >
      <FormError error={exporting.error ?? simulator.error} />
      <ActionProgress projectId={projectId} />
      {adding.open && <AddDevice params={params} onAdded={({ id }) => setAdded(id)} onClose={adding.close} />}
      {mayAdd && importing.open && <ImportDevices params={params} onClose={importing.hide} />}
      {acting && <ActOnChosen acting={acting} onClose={() => setActing(undefined)} />}
    </ListScreen>
  );
}

function actingOn(act: Act, projectId: string, row: DeviceRow): Acting {
  return { act, selection: oneDevice(projectId, row), channel: row.channel };
}

interface ListActionsProps {
  found: Found<typeof listDevices>;
  exporting: ReturnType<typeof useExport>;
  onImport: () => void;
}

function ListActions({ found: { input, count }, exporting, onImport }: ListActionsProps) {
  return (
    <>
      <Button onClick={onImport}>Import</Button>
      <ExportMenu
        said={count && devicesSaid(count)}
        onExport={format => exporting.matching(format, input.query)}
      />
    </>
  );
}

function selectionActionsOf(exporting: ReturnType<typeof useExport>, onActing: (acting: Acting) => void) {
  return (chosen: Chosen<typeof listDevices>, clear: () => void) => (
    <SelectionActions
      chosen={chosen}
      onAct={act => onActing({ act, selection: chosenDevices(chosen), clear })}
      onExport={format => exportChosen(exporting, chosen, format)}
    />
  );
}

function exportChosen(
  exporting: ReturnType<typeof useExport>,
  { all, input, ids }: Chosen<typeof listDevices>,
  format: 'json' | 'csv',
): void {
  if (all) exporting.matching(format, input.query);
  else void exporting.chosen(format, input.query, [...ids]);
}

/** A job that goes on is named in the address, where `ActionProgress` finds it. */
function ActOnChosen({ acting: { clear, ...acting }, onClose }: { acting: Acting; onClose: () => void }) {
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

/** Absent: one may not. */
interface Deeds {
  act: ((act: Act) => void) | undefined;
  simulate: (() => void) | undefined;
}

function menuOf(row: DeviceRow, { act, simulate }: Deeds): (MenuItem | 'line')[] {
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

/** What a class without devices says, and how to get some. */
function NoInstances({
  classId,
  add,
  onImport,
}: {
  classId: string;
  add: ReactNode;
  onImport: (() => void) | undefined;
}) {
  const ways = onImport && (
    <>
      {add}
      <Button onClick={onImport}>Import</Button>
    </>
  );
  return (
    <EmptyState icon={<DeviceIcon size={24} />} title={`No ${classId} yet`} action={ways}>
      Each device has its own id and key to connect with. Add one to try it out now, or import the devices
      your factory has made.
    </EmptyState>
  );
}
