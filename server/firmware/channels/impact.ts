import type { ChannelImpact, readChannelImpact } from '#contract/channel.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { mustHaveBundle } from '#server/firmware/targets/mustHaveBundle.ts';
import { configImpact } from './impactConfig.ts';
import { contentsOf, followersByBundle, type Running, type Version } from './impactStore.ts';
import { followedName } from './store.ts';

const fromMax = 20;

/** Counts what would happen to the devices of a channel if it were pointed at a bundle. */
export async function impactOf(call: Call<typeof readChannelImpact>): Promise<ChannelImpact> {
  const { db, row, query, now } = call;
  const { projectId, deviceClass, name } = row;
  const { bundleId } = query;
  await mustHaveBundle(db, { projectId, deviceClass, bundleId }, 'bundleId');
  const followers = { projectId, deviceClass, channel: followedName(name) };
  const running = await followersByBundle(db, followers, { bundleId, now });
  const bundleIds = running.flatMap(one => one.bundleId ?? []);
  const contents = await contentsOf(db, projectId, [bundleId, row.bundleId ?? bundleId, ...bundleIds]);
  const given = contents.get(bundleId) ?? [];
  return {
    ...sums(running, contents, given),
    from: running
      .toSorted((a, b) => b.total - a.total)
      .slice(0, fromMax)
      .map(({ bundleId: id, bundleName, total }) => ({
        ...(id !== null && { bundleId: id }),
        ...(bundleName !== null && { bundleName }),
        count: total,
      })),
    components: componentsOf(running, contents, { given, before: contents.get(row.bundleId ?? '') ?? [] }),
    config: await configImpact(db, followers, given),
  };
}

type Contents = ReadonlyMap<string, readonly Version[]>;

function sums(running: readonly Running[], contents: Contents, given: readonly Version[]) {
  const sum = (of: (one: Running) => number) => running.reduce((all, one) => all + of(one), 0);
  const moved = (one: Running) => (one.way === 'unchanged' ? 0 : one.reached);
  const reached = (way: Running['way']) => sum(one => (one.way === way ? one.reached : 0));
  const isRefused = ({ bundleId }: Running) =>
    (contents.get(bundleId ?? '') ?? []).some(now =>
      given.some(next => next.componentId === now.componentId && next.securityVersion < now.securityVersion),
    );
  return {
    total: sum(one => one.total),
    up: reached('up'),
    unchanged: reached('unchanged'),
    down: reached('down'),
    notReached: sum(one => one.total - one.reached),
    pinned: sum(one => one.pinned),
    suspended: sum(one => one.suspended),
    offline: sum(one => (moved(one) > 0 ? one.offline : 0)),
    awayFor30Days: sum(one => (moved(one) > 0 ? one.awayFor30Days : 0)),
    refusesDowngrade: sum(one => (one.way === 'down' && isRefused(one) ? one.reached : 0)),
  };
}

/** Each component of the bundle, and of the bundle that the channel points at now. */
function componentsOf(
  running: readonly Running[],
  contents: Contents,
  { given, before }: { given: readonly Version[]; before: readonly Version[] },
): ChannelImpact['components'] {
  const gone = before.filter(one => !given.some(({ componentId }) => componentId === one.componentId));
  const fetching = (version: Version) =>
    running
      .filter(({ bundleId }) =>
        (contents.get(bundleId ?? '') ?? []).every(({ versionId }) => versionId !== version.versionId),
      )
      .reduce((all, { reached }) => all + reached, 0);
  return [
    ...given.map(version => {
      const from = before.find(({ componentId }) => componentId === version.componentId);
      return {
        componentName: version.componentName,
        ...(from && { from: from.versionName }),
        to: version.versionName,
        sizeBytes: version.sizeBytes,
        devices: fetching(version),
      };
    }),
    ...gone.map(({ componentName, versionName }) => ({
      componentName,
      from: versionName,
      sizeBytes: 0,
      devices: 0,
    })),
  ];
}
