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
import { type Chosen, ListScreen } from '#console/ui/list/ListScreen.tsx';
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
  const [{ connection, sort }, changeUrl] = useUrlState();
  useDeviceCountsLive();
  useDeviceListLive(connection !== undefined || sort?.startsWith('lastSeen') === true);
  if (read.error?.reason === 'DEVICE_CLASS_NOT_FOUND')
    return <NotFound what={`Device class ${classId} does not exist.`} />;
  return (
    <ListScreen
      // What was chosen in one class is not chosen in another.
      key={`${projectId} ${classId}`}
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
      rowLink={({ id: deviceId }) => ({
        to: '/projects/$projectId/devices/$deviceId',
        params: { projectId, deviceId },
      })}
      rowMenu={row =>
        menuOf(row, {
          act: mayAdd
            ? act => setActing({ act, selection: oneDevice(projectId, row), channel: row.channel })
            : undefined,
          simulate: maySimulate ? () => void simulator.open(row.id) : undefined,
        })
      }
      actions={
        mayAdd &&
        (({ input, count }) => (
          <>
            <Button onClick={importing.show}>Import</Button>
            <ExportMenu
              said={count && devicesSaid(count)}
              onExport={format => exporting.matching(format, input.query)}
            />
          </>
        ))
      }
      create={adding.button('primary')}
      empty={
        <NoInstances
          classId={classId}
          add={adding.button('primary')}
          onImport={mayAdd ? importing.show : undefined}
        />
      }
      selectionActions={
        mayAdd
          ? (chosen: Chosen<typeof listDevices>, clear: () => void) => (
              <SelectionActions
                chosen={chosen}
                onAct={act => setActing({ act, selection: chosenDevices(chosen), clear })}
                onExport={format =>
                  chosen.all
                    ? exporting.matching(format, chosen.input.query)
                    : void exporting.chosen(format, chosen.input.query, [...chosen.ids])
                }
              />
            )
          : undefined
      }
    >
      <FormError error={exporting.error ?? simulator.error} />
      <ActionProgress projectId={projectId} />
      {adding.open && <AddDevice params={params} onAdded={({ id }) => setAdded(id)} onClose={adding.close} />}
      {mayAdd && importing.open && <ImportDevices params={params} onClose={importing.hide} />}
      {acting && (
        <ActDialog
          {...acting}
          onClose={() => setActing(undefined)}
          onDone={async job => {
            acting.clear?.();
            if (job?.state === 'running') changeUrl({ action: job.id }, { replace: true });
          }}
        />
      )}
    </ListScreen>
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
      Each device has an id and a key of its own to connect with. Add one to try it from this desk, or import
      those that your factory made.
    </EmptyState>
  );
}
