import { type LinkProps, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { SendCommand } from '#console/devices/activity/SendCommand.tsx';
import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ActDialog } from '#console/devices/instances/ActDialog.tsx';
import { type Act, oneDevice } from '#console/devices/instances/deviceSelection.ts';
import { RotateKey } from '#console/devices/keys/RotateKey.tsx';
import { useLiveDevice } from '#console/devices/useLiveDevice.ts';
import { useAnyApp } from '#console/guide/simulators/useAnyApp.ts';
import { useAppSimulator } from '#console/guide/simulators/useAppSimulator.ts';
import { useDeviceSimulator } from '#console/guide/simulators/useDeviceSimulator.ts';
import { Button } from '#console/ui/Button.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { useIsOnScreen } from '#console/ui/dialog/useIsOnScreen.ts';
import { BoltIcon, WindowIcon } from '#console/ui/icons/icons.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { Tabs } from '#console/ui/screen/Tabs.tsx';
import { useIsNarrow } from '#console/ui/screen/useIsNarrow.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { sendCommand } from '#contract/command.ts';
import { type Device, editDevice, readDevice } from '#contract/device.ts';
import { SuspendedBy } from './SuspendedBy.tsx';

/** The frame of a device's screens: which device, whether it is connected, and the most frequent actions. */
export function DeviceScreen() {
  const { projectId, deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  const read = useRead(readDevice, { params: { deviceId } });
  const { data, error } = read;
  const isGone = error?.reason === 'DEVICE_NOT_FOUND';
  useLiveDevice(deviceId);
  if (isGone || (data && data.projectId !== projectId))
    return <NotFound what={`Device ${deviceId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The device" />;
  return (
    <>
      <ReadState read={read} what="The device" refetchError />
      <OneDevice device={data} />
    </>
  );
}

function OneDevice({ device }: { device: Device }) {
  const [act, setAct] = useState<Act>();
  const mayEdit = useMay(editDevice);
  const maySend = useMay(sendCommand);
  const commanding = useHashForm('command', 'Send command', maySend);
  const rotating = useHashForm('rotate', 'Rotate key', mayEdit);
  const simulator = useDeviceSimulator();
  const both = useAppSimulator();
  const app = useAnyApp(device.projectId);
  const isNarrow = useIsNarrow();
  const simulate = () => void simulator.open(device.id);
  const simulation = { label: 'Open simulator', run: simulate };
  const deeds = [
    device.suspended
      ? { label: 'Resume device', run: () => setAct('resume') }
      : { label: 'Suspend device', run: () => setAct('suspend') },
    { label: 'Move to channel', run: () => setAct('move') },
    { label: 'Rotate key', run: rotating.show },
    ...(app ? [{ label: 'Open with an app', run: () => void both.open(app.id, device.id) }] : []),
  ];
  const remove = { label: 'Delete device', run: () => setAct('delete') };
  useActions([
    ...(maySend ? [{ label: 'Send command', keys: 's', run: commanding.show }] : []),
    ...(mayEdit ? [simulation, ...deeds, remove] : []),
  ]);
  // A phone has room for one button.
  const rare = isNarrow ? [simulation, ...deeds] : deeds;
  const menu: (MenuItem | 'line')[] = [...rare, 'line', { ...remove, danger: true }];
  return (
    <DetailScreen
      name={deviceName(device)}
      {...headId(device, isNarrow)}
      state={
        <DeviceStatePill
          device={device}
          suspendedBy={<SuspendedBy key={device.revision} deviceId={device.id} />}
        />
      }
      tabs={<DeviceTabs device={device} />}
      actions={
        <>
          {mayEdit && !isNarrow && <SimulateButton busy={simulator.opening} onClick={simulate} />}
          {maySend && <SendButton onClick={commanding.show} />}
        </>
      }
      {...(mayEdit && { menu })}
    >
      <FormError error={simulator.error ?? both.error} />
      <Outlet />
      {commanding.open && <SendCommand device={device} onClose={commanding.hide} />}
      {rotating.open && <RotateKey device={device} onClose={rotating.hide} />}
      {act && <ActOnDevice act={act} device={device} onClose={() => setAct(undefined)} />}
    </DetailScreen>
  );
}

/** On a phone the tag, unless it is already the title: someone standing in front of a device can read its tag. */
function headId({ id, name, tag }: Device, isNarrow: boolean) {
  return isNarrow && name && tag ? { id: tag, idLabel: 'Copy tag' } : { id };
}

function SimulateButton(props: { busy: boolean; onClick: () => void }) {
  return (
    <Button icon={<WindowIcon />} {...props}>
      Open simulator
    </Button>
  );
}

function SendButton(props: { onClick: () => void }) {
  return (
    <Button variant="primary" icon={<BoltIcon />} {...props}>
      Send command
    </Button>
  );
}

function ActOnDevice({ act, device, onClose }: { act: Act; device: Device; onClose: () => void }) {
  const navigate = useNavigate();
  const isOnScreen = useIsOnScreen();
  const { projectId, deviceClass: classId, channel } = device;
  const leave = () => {
    if (!isOnScreen()) return undefined;
    const to = '/projects/$projectId/device_classes/$classId/instances';
    return navigate({ to, params: { projectId, classId }, replace: true });
  };
  return (
    <ActDialog
      act={act}
      selection={oneDevice(projectId, device)}
      channel={channel}
      onClose={onClose}
      // Leave first: the device can no longer be read.
      onDone={act === 'delete' ? leave : undefined}
    />
  );
}

const tabs = [
  { label: 'Device', to: '/projects/$projectId/devices/$deviceId' },
  { label: 'Timeline', to: '/projects/$projectId/devices/$deviceId/timeline' },
  { label: 'System logs', to: '/projects/$projectId/devices/$deviceId/system_logs' },
  { label: 'Device logs', to: '/projects/$projectId/devices/$deviceId/device_logs' },
] as const;

function DeviceTabs({ device: { id: deviceId, projectId } }: { device: Device }) {
  const links = tabs.map(tab => ({ ...tab, params: { projectId, deviceId } }));
  return <Tabs label="Device" tabs={links as (LinkProps & { label: string })[]} />;
}
