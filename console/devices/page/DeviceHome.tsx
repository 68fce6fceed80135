import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/api.ts';
import { ActivityPanel } from '#console/devices/activity/ActivityPanel.tsx';
import { Connect } from '#console/devices/connect/Connect.tsx';
import { isUnheard } from '#console/devices/deviceWords.ts';
import { KeyPanel } from '#console/devices/keys/KeyPanel.tsx';
import { PresencePanel } from '#console/devices/presence/PresencePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { readDevice } from '#contract/device.ts';
import { ConfigPanel } from './ConfigPanel.tsx';
import { EntitiesPanel } from './EntitiesPanel.tsx';
import { FirmwarePanel } from './FirmwarePanel.tsx';
import { HealthPanel } from './HealthPanel.tsx';
import { IdentityPanel } from './IdentityPanel.tsx';
import { StatePanel } from './StatePanel.tsx';

/** What one comes for: is it alive, what did it say, what is it like. How to connect it comes first until it has. */
export function DeviceHome() {
  const { deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  const { data: device } = useRead(readDevice, { params: { deviceId } });
  const [asked, setAsked] = useState<string>();
  if (!device) return null;
  // A key that was rotated since is no longer the device's.
  const apiKey = asked?.endsWith(device.apiKeyEnd) ? asked : undefined;
  const isNew = isUnheard(device);
  const connect = (
    <Panel title="Connect" note={isNew ? 'not connected yet' : undefined}>
      <Connect deviceId={deviceId} apiKey={apiKey} />
    </Panel>
  );
  return (
    <Columns
      side={
        <>
          <PresencePanel device={device} />
          <HealthPanel device={device} />
          <IdentityPanel device={device} />
          <KeyPanel device={device} apiKey={apiKey} onShow={setAsked} />
          <FirmwarePanel device={device} />
        </>
      }
    >
      {isNew && connect}
      <StatePanel device={device} />
      <ActivityPanel deviceId={deviceId} />
      <EntitiesPanel deviceId={deviceId} />
      <ConfigPanel device={device} />
      {!isNew && connect}
    </Columns>
  );
}
