import { expect, it } from 'vitest';
import { aFileServer } from '#test/fileServer.ts';
import { sha256, UpdateRig } from '#test/updateRig.ts';
import type { Target } from '../frames.ts';

const server = aFileServer();
const file = Uint8Array.from({ length: 3000 }, (_, at) => at % 251);

function aTarget(sequence: number): Target {
  server.files.set('/main', file);
  const main = { component: 'main', version: `2.0.${sequence}`, size: file.length, sha256: sha256(file) };
  return { sequence, bundleId: `bnd_${sequence}`, components: [{ ...main, url: `${server.url}/main` }] };
}

/** A device whose `reboot` returns before it goes down. */
async function goingDown(): Promise<UpdateRig> {
  const rig = new UpdateRig();
  rig.platform.target = aTarget(4);
  rig.more.reboot = () => undefined;
  rig.powerOn();
  await rig.ends('rebooting');
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  return rig;
}

it.each([
  ['the same target', 4],
  ['another target', 5],
])('%s that arrives while the device goes down is left to the next start', async (_, sequence) => {
  const rig = await goingDown();
  const { length } = rig.done;
  rig.platform.tell(aTarget(sequence));
  await expect.poll(() => rig.updater.isRunning).toBe(false);
  expect(rig.done.slice(length)).toEqual([]);
  rig.powerOn();
  await rig.ends('done', 'failed rolled_back');
  await expect.poll(() => rig.platform.installed.some(one => one.sequence === 4)).toBe(true);
  expect(rig.boot.starts).toBe('new');
});
