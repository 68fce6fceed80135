import { useRead } from '#console/core/api.ts';
import { useLive } from '#console/core/live/live.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { type DeviceFirmware, readDeviceFirmware } from '#contract/deviceFirmware.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { isMoving } from './updateWords.ts';

const pollMs = 3_000;

/**
 * What a device should run and its progress: read again when the device reports, and from time to time during an
 * update.
 */
export function useDeviceFirmware(deviceId: string) {
  const read = useRead(
    readDeviceFirmware,
    { params: { deviceId } },
    { refetchInterval: last => (isOnItsWay(last) ? pollMs : false) },
  );
  useLive('device', ({ deviceId: about, what }) => {
    if (about === deviceId && what === 'state') void read.refetch();
  });
  return read;
}

/** A time that is due soon counts as well: an offer, or the next attempt. */
function isOnItsWay(firmware: DeviceFirmware | undefined): boolean {
  const { current } = firmware ?? {};
  const due = current?.retryAt ?? firmware?.why.rollout?.dueAt;
  const isDue = due !== undefined && Math.abs(Date.parse(due) - serverNow()) < 2 * minuteMs;
  return isMoving(current) || isDue;
}
