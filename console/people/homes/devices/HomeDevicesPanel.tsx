import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useTheseDevicesLive } from '#console/core/live/useDevicesLive.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { Pulses } from '#console/devices/instances/Pulses.tsx';
import { useFirmwareSeen } from '#console/devices/instances/useFirmwareSeen.ts';
import css from '#console/people/homes/homes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { Table } from '#console/ui/list/Table.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { pulsesMax } from '#contract/fleet.ts';
import type { Home } from '#contract/home.ts';
import { type HomeDevice, listHomeDevices, releaseHomeDevice } from '#contract/homeDevice.ts';
import { homeDeviceColumns } from './homeDeviceColumns.tsx';
import { ReleaseDevice } from './ReleaseDevice.tsx';

/** The devices in a home, whether each is connected, and who added it. */
export function HomeDevicesPanel({ home }: { home: Home }) {
  const { id: homeId, projectId } = home;
  const read = useRead(listHomeDevices, { params: { homeId } });
  const { data } = read;
  const [shownMax, setShownMax] = useState(pulsesMax);
  const [releasing, setReleasing] = useState<HomeDevice>();
  const mayRelease = useMay(releaseHomeDevice);
  const rows = data?.slice(0, shownMax) ?? [];
  useTheseDevicesLive(
    rows.map(({ id }) => id),
    () => void read.refetch(),
  );
  const asking = releasing && (
    <ReleaseDevice home={home} device={releasing} onClose={() => setReleasing(undefined)} />
  );
  if (data?.length === 0)
    return (
      <>
        <LinePanel title="Devices">
          None yet. Users claim them in the app with the code on the device’s page.
        </LinePanel>
        {asking}
      </>
    );
  return (
    <>
      <Panel title="Devices" note={data?.length} flush>
        {!data && (
          <ReadState read={read} what="The devices" skeleton={<Skeleton shape="rows" lines={3} unsized />} />
        )}
        {data && read.error && (
          <div className={css.error}>
            <FormError error={read.error} />
          </div>
        )}
        {data && (
          <DeviceRows projectId={projectId} rows={rows} onRelease={mayRelease ? setReleasing : undefined} />
        )}
        {data && rows.length < data.length && (
          <div className={css.moreRows}>
            <Button variant="quiet" onClick={() => setShownMax(shownMax + pulsesMax)}>
              Show {Math.min(pulsesMax, data.length - rows.length)} more
            </Button>
          </div>
        )}
      </Panel>
      {/* In the same place whether devices are left or not: it shows the claim code of the last one. */}
      {asking}
    </>
  );
}

interface DeviceRowsProps {
  projectId: string;
  rows: readonly HomeDevice[];
  onRelease: ((device: HomeDevice) => void) | undefined;
}

function DeviceRows({ projectId, rows, onRelease }: DeviceRowsProps) {
  const { hasFirmware, onFirmware } = useFirmwareSeen(projectId);
  return (
    <Pulses {...{ projectId, rows, onFirmware }}>
      <div className={css.besideColumn}>
        <Table
          label="Devices"
          columns={homeDeviceColumns(projectId, hasFirmware)}
          rows={rows}
          rowKey={({ id }) => id}
          rowName={deviceName}
          rowLink={({ id: deviceId }) => ({
            to: '/projects/$projectId/devices/$deviceId',
            params: { projectId, deviceId },
          })}
          rowMenu={device =>
            onRelease ? [{ label: 'Release from home', danger: true, run: () => onRelease(device) }] : []
          }
        />
      </div>
    </Pulses>
  );
}
