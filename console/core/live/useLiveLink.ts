import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { readDevice } from '#contract/device.ts';
import { useProjectLive } from './live.ts';

/**
 * The live link of the project and device on screen. Both are known from the address, so the link opens before most of
 * the screen is read. A device that does not belong to the project gets no link.
 */
export function useLiveLink(): void {
  const { projectId, deviceId = '' } = useParams({ strict: false });
  const { data, error } = useRead(readDevice, { params: { deviceId } }, { enabled: deviceId !== '' });
  const isElsewhere = error?.reason === 'DEVICE_NOT_FOUND' || (data && data.projectId !== projectId);
  useProjectLive(projectId, isElsewhere ? undefined : deviceId || undefined);
}
