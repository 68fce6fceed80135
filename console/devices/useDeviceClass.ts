import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';

/** What every call about a class is given: its id is unique within its project only. */
export function classInput(projectId: string, classId: string) {
  return { params: { classId }, query: { projectId } };
}

/** The device class whose screens one is in. */
export function useDeviceClass() {
  const params = useParams({ from: '/shell/projects/$projectId/device_classes/$classId' });
  const read = useRead(readDeviceClass, classInput(params.projectId, params.classId));
  return { params, read };
}
