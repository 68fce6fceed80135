import type { BundleName } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import type { ProjectStats } from '#contract/stats.ts';
import { byName } from '#rules/text/byName.ts';

/** The firmware of one device class. */
export interface ClassRuns {
  deviceClass: string;
  devices: number;
  /** The bundles that most devices report as installed, most frequent first, then all others combined. */
  runs: readonly { bundleId: string | undefined; name: string; count: number }[];
  /** Devices that report no bundle. */
  unknown: number;
  channels: readonly Channel[];
}

const namedMax = 4;

/** What runs on the devices of each class, the largest class first. */
export function whatRuns(
  stats: ProjectStats['devices'],
  bundles: readonly BundleName[],
  channels: readonly Channel[],
): ClassRuns[] {
  return stats
    .map(({ deviceClass, claimed, unclaimed }) => {
      const devices = claimed + unclaimed;
      const runs = bundles
        .filter(bundle => bundle.deviceClass === deviceClass && bundle.deviceCount > 0)
        .sort((a, b) => b.deviceCount - a.deviceCount)
        .map(({ id, name, deviceCount }) => ({ bundleId: id, name, count: deviceCount }));
      const others = sumOf(runs.slice(namedMax));
      return {
        deviceClass,
        devices,
        runs: [
          ...runs.slice(0, namedMax),
          ...(others > 0 ? [{ bundleId: undefined, name: 'Other bundles', count: others }] : []),
        ],
        // The counts come from two calls, between which a device may have reported.
        unknown: Math.max(0, devices - sumOf(runs)),
        channels: channels.filter(channel => channel.deviceClass === deviceClass),
      };
    })
    .sort((a, b) => b.devices - a.devices || byName(a.deviceClass, b.deviceClass));
}

function sumOf(runs: readonly { count: number }[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}
