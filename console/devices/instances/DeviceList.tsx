import type { ReactNode } from 'react';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useDeviceCountsLive, useDeviceListLive } from '#console/core/live/useDevicesLive.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { deviceFilters, deviceQuery } from '#console/devices/deviceFilters.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ImportDevices } from '#console/devices/imports/ImportDevices.tsx';
import { sumOf, totalOf } from '#console/devices/states/deviceStates.ts';
import { StateBar } from '#console/devices/states/StateBar.tsx';
import { SavedViews } from '#console/devices/views/SavedViews.tsx';
import { useChannelChoices } from '#console/firmware/channels/useChannelChoices.ts';
import { useDeviceSimulator } from '#console/guide/simulators/useDeviceSimulator.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { BulkProgress } from '#console/ui/state/BulkProgress.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { listBundleNames } from '#contract/bundle.ts';
import { createDevice, createTemporaryKey, deviceStates, listDevices } from '#contract/device.ts';
import { readStats } from '#contract/stats.ts';
import { AddDevice } from './AddDevice.tsx';
import {
  type Acting,
  ActOnChosen,
  actingOn,
  deviceActs,
  ListActions,
  menuOf,
  selectionActionsOf,
} from './deviceActions.tsx';
import { deviceColumns } from './deviceColumns.tsx';
import { PulseLegend } from './PulseLegend.tsx';
import { Pulses } from './Pulses.tsx';
import { useExport } from './useExport.ts';
import { useFirmwareSeen } from './useFirmwareSeen.ts';

interface DeviceListProps {
  projectId: string;
  /** Absent: devices of all classes. */
  classId?: string;
  title: string;
  tabs: ReactNode;
  /** Shown while there is no device at all. */
  empty: (ways: { add: ReactNode; onImport: (() => void) | undefined }) => ReactNode;
}

/** Devices: find one among a hundred thousand, see whether it is connected, act on many at once. */
export function DeviceList({ projectId, classId, title, tabs, empty }: DeviceListProps) {
  const [{ state, sort, class: chosenClass }] = useUrlState();
  useDeviceCountsLive();
  useDeviceListLive(state !== undefined || sort?.startsWith('lastSeen') === true);
  // An imported or exported file is about one class.
  const fileClass = classId ?? chosenClass;
  const { filters, bar, hasFirmware, onFirmware } = useFilters({ projectId, classId });
  const [acting, setActing] = useState<Acting>();
  const [added, setAdded] = useState<string>();
  const exporting = useExport(projectId);
  const simulator = useDeviceSimulator();
  const maySimulate = useMay(createTemporaryKey);
  const mayAdd = useMay(createDevice);
  const mayImport = mayAdd && fileClass !== undefined;
  const importing = useHashForm('import', 'Import devices', mayAdd);
  const adding = useAdd('Add device', mayAdd);
  return (
    <ListScreen
      title={title}
      noun="devices"
      endpoint={listDevices}
      input={(page, chosen) => ({ query: deviceQuery({ projectId, classId }, page, chosen) })}
      cursors
      searchHint="Tag, name, id…"
      {...{ filters, tabs }}
      above={bar}
      toolbar={classId === undefined && <SavedViews projectId={projectId} />}
      columns={deviceColumns({ withClass: classId === undefined, hasFirmware })}
      chooseColumns="devices"
      legend={<PulseLegend />}
      withRows={(rows, children) => <Pulses {...{ projectId, rows, onFirmware, children }} />}
      rowKey={({ id }) => id}
      rowName={deviceName}
      marked={({ id }) => id === added}
      rowLink={({ id: deviceId }) => linkTo({ projectId, deviceId })}
      rowMenu={row =>
        menuOf(row, {
          act: mayAdd ? act => setActing(actingOn(act, projectId, row)) : undefined,
          simulate: maySimulate ? () => void simulator.open(row.id) : undefined,
        })
      }
      actions={
        mayImport && (found => <ListActions found={found} exporting={exporting} onImport={importing.show} />)
      }
      create={adding.button('primary')}
      empty={empty({ add: adding.button('primary'), onImport: mayImport ? importing.show : undefined })}
      selectionActions={mayAdd ? selectionActionsOf(exporting, setActing, fileClass) : undefined}
    >
      <FormError error={exporting.error ?? simulator.error} />
      <BulkProgress projectId={projectId} {...deviceActs} />
      {adding.open && (
        <AddDevice {...{ projectId, classId, fileClass }} onAdded={setAdded} onClose={adding.close} />
      )}
      {mayImport && importing.open && (
        <ImportDevices params={{ projectId, classId: fileClass }} onClose={importing.hide} />
      )}
      {acting && <ActOnChosen acting={acting} onClose={() => setActing(undefined)} />}
    </ListScreen>
  );
}

const linkTo = (params: { projectId: string; deviceId: string }) =>
  ({ to: '/projects/$projectId/devices/$deviceId', params }) as const;

/** Until the states are known, the bar takes up its space. */
const noStates = sumOf([]);

/** The filters with a count for each choice, and the bar, which is one of them. */
function useFilters({ projectId, classId }: { projectId: string; classId: string | undefined }) {
  const [url] = useUrlState();
  const firmware = useFirmwareSeen(projectId);
  const stats = useRead(readStats, { params: { projectId } }).data;
  const listed = classId ?? url.class;
  const channels = useChannelChoices(projectId, listed);
  const ofClass = listed !== undefined && { deviceClass: listed };
  const bundles = useRead(listBundleNames, { query: { projectId, ...ofClass } }).data;
  const states =
    stats && sumOf(stats.devices.filter(({ deviceClass }) => listed === undefined || deviceClass === listed));
  const chosen = deviceStates.find(state => state === url.state);
  const bar = (!states || totalOf(states) > 0) && (
    <StateBar
      states={states ?? noStates}
      chosen={chosen}
      linkTo={state => ({
        to: '.',
        search: ((before: object) => ({
          ...before,
          // A second press clears the filter.
          state: state === chosen ? undefined : state,
          page: undefined,
          after: undefined,
        })) as never,
      })}
    />
  );
  const classes =
    classId === undefined ? (stats?.devices ?? []).map(({ deviceClass }) => deviceClass) : undefined;
  return {
    filters: deviceFilters({ states, classes, channels, bundles }),
    bar,
    hasFirmware: firmware.hasFirmware || (bundles?.length ?? 0) > 0,
    onFirmware: firmware.onFirmware,
  };
}
