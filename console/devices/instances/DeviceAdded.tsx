import { useNavigate } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { Connect } from '#console/devices/connect/Connect.tsx';
import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { KeyGuard } from '#console/ui/dialog/KeyGuard.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { type Device, readDevice } from '#contract/device.ts';

interface DeviceAddedProps {
  device: Device;
  /** The project keeps no readable keys. */
  isForgotten: boolean;
  onClose: () => void;
}

const lookMs = 2_000;

/** What the hardware needs to know, commands to try it with, and whether the device has connected. */
export function DeviceAdded({ device, isForgotten, onClose }: DeviceAddedProps) {
  const navigate = useNavigate();
  const { projectId, id: deviceId, apiKey = '', claimCode } = device;
  const now = useRead(
    readDevice,
    { params: { deviceId } },
    { refetchInterval: last => (last?.connectionStatus === 'connected' ? false : lookMs) },
  ).data;
  const open = () =>
    void navigate({
      to: '/projects/$projectId/devices/$deviceId',
      params: { projectId, deviceId },
      hash: '',
      replace: true,
    });
  return (
    <Dialog title="Device added" shape="wide" onClose={onClose}>
      {isForgotten && <KeyGuard apiKey={apiKey} />}
      <DialogBody>
        <p role="status">
          {isForgotten ? (
            <>
              <b>Copy the key now.</b> This project does not store device keys: this is the only time it is
              shown.
            </>
          ) : (
            'The hardware connects with this key. You can find it on the device’s page later.'
          )}
        </p>
        <Facts
          facts={[
            ['Device id', <CopyText key="id" text={deviceId} wrap label="Copy device id" />],
            ['API key', <CopyText key="key" text={apiKey} wrap label="Copy API key" />],
            ...(claimCode
              ? ([['Claim code', <CopyText key="code" text={claimCode} label="Copy claim code" />]] as const)
              : []),
            [
              'State',
              <span key="state" aria-live="polite">
                <DeviceStatePill device={now ?? device} />
              </span>,
            ],
          ]}
        />
        <div className={css.connect}>
          <Connect deviceId={deviceId} apiKey={apiKey} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" onClick={open}>
          Open device
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
