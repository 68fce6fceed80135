import { expect, it } from 'vitest';
import { aFileServer } from '#test/fileServer.ts';
import { sha256, UpdateRig } from '#test/updateRig.ts';
import type { Target } from '../frames.ts';

const server = aFileServer();
const file = Uint8Array.from({ length: 1_000 }, (_, at) => at % 251);

function aTarget(consent?: Target['consent']): Target {
  server.files.set('/main', file);
  const about = { component: 'main', version: '2.0.0', size: file.length, sha256: sha256(file) };
  const components = [{ ...about, url: `${server.url}/main` }];
  return { sequence: 4, bundleId: 'bnd_1', components, ...(consent && { consent }) };
}

it('an update that waits for consent is postponed and continued as the home answers', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const rig = new UpdateRig();
  rig.more.mayUpdate = () => ({ waitsFor: 'consent' });
  rig.platform.target = aTarget();
  rig.powerOn();
  await rig.ends('ready');
  rig.platform.tell(aTarget({ answer: 'later', until }));
  await rig.ends('postponed');
  expect(rig.platform.progress.at(-1)).toMatchObject({ until });
  rig.platform.tell(aTarget({ answer: 'install' }));
  await rig.ends('done');
  expect(rig.boot.starts).toBe('new');
});
