import { useParams } from '@tanstack/react-router';
import { LiveLogPanel } from './LiveLogPanel.tsx';
import { LogRequestsPanel } from './LogRequestsPanel.tsx';

/** The device's own log: what it logs now, and the older parts that it is asked to send. */
export function DeviceLogs() {
  const { projectId, deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  return (
    <>
      <LogRequestsPanel projectId={projectId} deviceId={deviceId} />
      <LiveLogPanel deviceId={deviceId} />
    </>
  );
}
