import type { LinkProps } from '@tanstack/react-router';
import type { DeviceState } from '#contract/device.ts';
import type { Finding } from '#contract/finding.ts';

type Signal = Finding['signal'];

/** The search for the devices, unless they are those with that signal. */
const searches: Partial<Record<Signal, { state: DeviceState; sort?: string }>> = {
  lost: { state: 'disconnected', sort: 'lastSeen:desc' },
  offline: { state: 'disconnected', sort: 'lastSeen:desc' },
  never: { state: 'never' },
};

/** Whether all devices of the finding are counted, however many there are. */
export const isExact = (signal: Signal) => signal in searches;

/** The list of what the finding is about. */
export function listOf(projectId: string, finding: Finding): LinkProps {
  const { signal, rollout, alerts, deviceClass } = finding;
  if (rollout) {
    const { id: rolloutId, channelId } = rollout;
    return {
      to: '/projects/$projectId/channels/$channelId/rollouts/$rolloutId',
      params: { projectId, channelId, rolloutId },
    };
  }
  if (signal === 'alert') {
    const search = { state: 'open', severity: alerts && 'critical' };
    return { to: '/projects/$projectId/alerts', params: { projectId }, search: search as never };
  }
  const search = { ...(searches[signal] ?? { signal }), ...(deviceClass && { class: deviceClass }) };
  return { to: '/projects/$projectId/devices', params: { projectId }, search: search as never };
}

/** The only device of the finding, or else the list. */
export function nextOf(projectId: string, finding: Finding): { label: string; link: LinkProps } {
  const { rollout, signal, devices, count } = finding;
  const [device, another] = devices;
  const link = listOf(projectId, finding);
  if (rollout) return { label: rollout.isPaused ? 'Open rollout' : `Review step ${rollout.step + 2}`, link };
  if (signal === 'alert') return { label: count === 1 ? 'Show alert' : 'Show alerts', link };
  if (!device || another || (isOfDevices(signal) && count > 1)) return { label: 'Show devices', link };
  return {
    label: 'Open device',
    link: {
      to: '/projects/$projectId/devices/$deviceId',
      params: { projectId, deviceId: device.id },
    },
  };
}

/** Whether the count of the finding is one of devices. */
export const isOfDevices = (signal: Signal) =>
  ['lost', 'offline', 'flapping', 'quiet', 'never'].includes(signal);
