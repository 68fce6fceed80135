import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { ActivityPanel } from '#console/devices/activity/ActivityPanel.tsx';
import { DeviceAlertsPanel } from '#console/devices/alerts/DeviceAlertsPanel.tsx';
import { isUnheard } from '#console/devices/deviceWords.ts';
import { KeyPanel } from '#console/devices/keys/KeyPanel.tsx';
import { PresencePanel } from '#console/devices/presence/PresencePanel.tsx';
import { NumbersPanel } from '#console/devices/stateHistory/NumbersPanel.tsx';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Near } from '#console/ui/screen/Near.tsx';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { type Device, readDevice } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { FirmwarePanel } from './FirmwarePanel.tsx';
import { HealthPanel } from './HealthPanel.tsx';
import { IdentityPanel } from './IdentityPanel.tsx';
import page from './page.module.css';
import { SetupPanel } from './SetupPanel.tsx';
import { StatePanel } from './StatePanel.tsx';

/**
 * The main page of a device: is it connected, what is its state, what has it sent. Until its first message, the setup
 * comes first.
 */
export function DeviceHome() {
  const { deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  const { data: device } = useRead(readDevice, { params: { deviceId } });
  const { data: state, error } = useRead(readDeviceState, { params: { deviceId } });
  const [asked, setAsked] = useState<string>();
  // Decided when the page opens, so that the layout does not jump at the device's first message.
  const [isNew] = useState(device && isUnheard(device));
  if (!device) return null;
  // If the key has been rotated since, this one is no longer valid.
  const apiKey = asked?.endsWith(device.apiKeyEnd) ? asked : undefined;
  const setup = <SetupPanel device={device} apiKey={apiKey} />;
  return (
    <>
      <PresencePanel device={device} />
      <Columns
        side={
          <Near height={1000}>
            <DeviceAlertsPanel projectId={device.projectId} deviceId={device.id} />
            <FirmwarePanel device={device} />
            <div className={page.identity}>
              <IdentityPanel device={device} />
              <KeyPanel device={device} apiKey={apiKey} onShow={setAsked} />
            </div>
            <HealthPanel device={device} />
          </Near>
        }
      >
        {isNew && setup}
        <StatePanel device={device} />
        {state?.reportedAt && <DeviceHistory device={device} />}
        <Near when={state !== undefined || error !== null} height={700}>
          <div className={page.below}>
            <ActivityPanel deviceId={deviceId} />
            {!isNew && setup}
          </div>
        </Near>
      </Columns>
    </>
  );
}

function DeviceHistory({ device: { id: deviceId, projectId, deviceClass } }: { device: Device }) {
  const { data: ofClass } = useRead(readDeviceClass, classInput(projectId, deviceClass));
  return <NumbersPanel source={{ deviceId }} schema={ofClass?.stateSchema} />;
}
