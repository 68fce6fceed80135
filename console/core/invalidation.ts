import type { LiveMessage } from '#contract/live.ts';

/** The path of a call that changed something, and the further reads that its endpoint declares as affected. */
export type Change = Pick<Extract<LiveMessage, { kind: 'changed' }>, 'path' | 'makesOld'>;

/** Which cached reads, by path, are out of date after these changes. */
export function madeOldBy(changes: readonly Change[]): (path: string) => boolean {
  const nouns = new Set<string>();
  const devices = new Set<string>();
  for (const { path, makesOld = [] } of changes) {
    for (const noun of [nounOf(path), ...makesOld]) {
      const device = noun === 'devices' && deviceOf(path);
      // A change of one device out of a hundred thousand affects no other device, only the list.
      if (device) devices.add(device);
      else if (noun === 'devices' && path === deviceList) devices.add(deviceList);
      else nouns.add(noun);
    }
  }
  return path =>
    path.split('/').some(part => nouns.has(part)) ||
    (devices.size > 0 && (path === deviceList || devices.has(deviceOf(path) ?? '')));
}

const deviceList = '/devices';

/** `/devices/dev_1/state` → `/devices/dev_1` */
function deviceOf(path: string): string | undefined {
  return /^\/devices\/[^/]+/.exec(path)?.[0];
}

/** `/projects/prj_1/members/dvl_2` is about members: every second part is an id. */
function nounOf(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts[parts.length - (parts.length % 2 === 0 ? 2 : 1)] ?? '';
}
