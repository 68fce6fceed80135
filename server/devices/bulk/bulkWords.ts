import type { DeviceAction } from '#contract/deviceBulk.ts';

const done: Record<DeviceAction['action'], string> = {
  suspend: 'suspended',
  resume: 'resumed',
  move: 'moved to another channel',
  delete: 'deleted',
};

/**
 * For the audit log: "3 devices deleted: hall-7, attic, cellar", or the filter if the devices are not listed.
 */
export function actSaid(
  action: DeviceAction['action'],
  total: number,
  which: readonly string[] | { deviceClass: string | undefined },
): string {
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'device' : 'devices'}`;
  if ('deviceClass' in which) {
    const ofClass = which.deviceClass === undefined ? '' : ` of class ${which.deviceClass}`;
    return `${count}${ofClass} to be ${done[action]}`;
  }
  return `${count} ${done[action]}: ${which.join(', ')}`;
}
