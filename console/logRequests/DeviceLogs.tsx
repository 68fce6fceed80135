import { useParams } from '@tanstack/react-router';
import { LiveLogPanel } from './LiveLogPanel.tsx';
import { LogRequestsPanel } from './LogRequestsPanel.tsx';

/** The device's own log: what it says now, and what it is asked to send of before. */
export function DeviceLogs() {
  const { projectId, deviceId } = useParams({ from: '/shell/projects/$projectId/devices/$deviceId' });
  return (
    <>
      <LogRequestsPanel projectId={projectId} deviceId={deviceId} />
      <LiveLogPanel deviceId={deviceId} />
    </>
  );
}
