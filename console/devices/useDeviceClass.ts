import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';

/** The input of every call about a class, whose id is unique only within its project. */
export function classInput(projectId: string, classId: string) {
  return { params: { classId }, query: { projectId } };
}

/** The device class of the current screen. */
export function useDeviceClass() {
  const params = useParams({ from: '/shell/projects/$projectId/device_classes/$classId' });
  const read = useRead(readDeviceClass, classInput(params.projectId, params.classId));
  return { params, read };
}
