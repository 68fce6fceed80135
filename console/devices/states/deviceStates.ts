import type { Tone } from '#console/ui/state/StatePill.tsx';
import { type DeviceState, deviceStates } from '#contract/device.ts';
import type { StateCounts } from '#contract/stats.ts';

/** How the states of a fleet are shown, in the order of a state bar. */
export const stateWords: Record<DeviceState, { label: string; tone: Tone }> = {
  connected: { label: 'Connected', tone: 'ok' },
  disconnected: { label: 'Disconnected', tone: 'off' },
  never: { label: 'Never connected', tone: 'never' },
  suspended: { label: 'Suspended', tone: 'danger' },
};

const noDevices: StateCounts = { connected: 0, disconnected: 0, never: 0, suspended: 0 };

export function totalOf(states: StateCounts): number {
  return deviceStates.reduce((total, state) => total + states[state], 0);
}

export function sumOf(all: readonly StateCounts[]): StateCounts {
  const sum = { ...noDevices };
  for (const states of all) for (const state of deviceStates) sum[state] += states[state];
  return sum;
}
