import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { stepSettledAt } from './rolloutCourse.ts';

export interface TriedDevice {
  /** From 0 to 9,999. */
  place: number;
  wasConnected: boolean;
  /** The times of its connection changes, in order: positive for connects, negative for disconnects. */
  changes: readonly number[];
}

export interface Trial {
  steps: readonly { percent: number }[];
  /** Devices per minute. */
  rate: number | null;
  soakMs: number;
  beginMs: number;
  endMs: number;
  /** How many devices each sampled device represents. */
  each: number;
}

/**
 * When each step of a rollout would have been settled if it had begun at the start of the recorded connections. A
 * device counts as settled once it is connected; devices that were never connected are ignored. Steps that wait for a
 * person begin when the previous soak time is over. Undefined: not within the recorded time.
 */
export function tryOut(devices: readonly TriedDevice[], trial: Trial): (number | undefined)[] {
  const { steps, rate, soakMs, beginMs, endMs, each } = trial;
  const byPlace = devices.toSorted((a, b) => a.place - b.place);
  let startMs: number | undefined = beginMs;
  let from = 0;
  return steps.map(({ percent }) => {
    if (startMs === undefined) return undefined;
    const admitted = byPlace.filter(({ place }) => place >= from && place < Math.round(percent * 100));
    from = Math.round(percent * 100);
    if (admitted.length === 0) return startMs;
    const begunMs: number = startMs;
    const times = admitted.flatMap((device, at) => {
      const waits = rate === null ? 0 : Math.floor((at * each) / rate) * minuteMs;
      return wasSeen(device, trial) ? [connectedFrom(device, begunMs + waits, endMs)] : [];
    });
    const settledMs = settledBy(times);
    startMs = settledMs === undefined ? undefined : settledMs + soakMs;
    return settledMs;
  });
}

/** Whether the device was connected on every day. */
export function isOnlineDaily(
  device: TriedDevice,
  { beginMs, endMs }: Pick<Trial, 'beginMs' | 'endMs'>,
): boolean {
  for (let dayEnd = endMs; dayEnd - dayMs >= beginMs; dayEnd -= dayMs)
    if (connectedFrom(device, dayEnd - dayMs, dayEnd) === undefined) return false;
  return true;
}

const wasSeen = (device: TriedDevice, { beginMs, endMs }: Trial) =>
  connectedFrom(device, beginMs, endMs) !== undefined;

/** The first time from `fromMs` on at which the device is connected; undefined if that is not before `endMs`. */
function connectedFrom(
  { wasConnected, changes }: TriedDevice,
  fromMs: number,
  endMs: number,
): number | undefined {
  if (fromMs >= endMs) return undefined;
  const before = changes.findLast(at => Math.abs(at) <= fromMs);
  if (before === undefined ? wasConnected : before > 0) return fromMs;
  const next = changes.find(at => at > fromMs);
  return next !== undefined && next < endMs ? next : undefined;
}

/** When the percentage of devices that a step requires was settled. */
function settledBy(times: readonly (number | undefined)[]): number | undefined {
  const sorted = times.map(time => time ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const last = sorted[Math.ceil((sorted.length * stepSettledAt) / 100) - 1];
  return last !== undefined && Number.isFinite(last) ? last : undefined;
}
