import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { listDeviceClassRevisions } from '#contract/deviceClassRevision.ts';

/** The revisions of a class that are kept, the newest first. */
export function useRevisions({ projectId, id }: Pick<DeviceClass, 'projectId' | 'id'>) {
  return useRead(listDeviceClassRevisions, classInput(projectId, id));
}

export interface Compared {
  before: number;
  after: number;
}

/** Which two revisions are compared: `?compare=6..7`; undefined if none are. */
export function useCompared(): [
  Compared | undefined,
  (compared: Compared | undefined, options?: { replace: boolean }) => void,
] {
  const [{ compare }, change] = useUrlState();
  const [, before, after] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(compare ?? '') ?? [];
  return [
    before && after ? { before: Number(before), after: Number(after) } : undefined,
    (compared, options) => change({ compare: compared && addressOf(compared) }, options),
  ];
}

export const addressOf = ({ before, after }: Compared) => `${before}..${after}`;
