import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { readDevice } from '#contract/device.ts';
import { useProjectLive } from './live.ts';

/**
 * The live link of the project on screen, and of the device: both known from the address, so that it is open before most
 * of the screen is read. There is none for a device that the project does not have.
 */
export function useLiveLink(): void {
  const { projectId, deviceId = '' } = useParams({ strict: false });
  const { data, error } = useRead(readDevice, { params: { deviceId } }, { enabled: deviceId !== '' });
  const isElsewhere = error?.reason === 'DEVICE_NOT_FOUND' || (data && data.projectId !== projectId);
  useProjectLive(projectId, isElsewhere ? undefined : deviceId || undefined);
}
