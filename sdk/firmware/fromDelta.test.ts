import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { aFileServer, misconducts } from '#test/fileServer.ts';
import { sha256, UpdateRig } from '#test/updateRig.ts';
import type { Target } from '../frames.ts';

const server = aFileServer();
const oldFile = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at * 31) >> 3);
const newFile = oldFile.map((byte, at) => (at % 5_000 === 0 ? byte + 1 : byte));
const otherFile = oldFile.map((byte, at) => (at % 5_000 === 7 ? byte + 1 : byte));
const compressed = (file: Uint8Array) =>
  zstdCompressSync(file, { dictionary: Buffer.from(oldFile) } as object);

function aTarget(patch: Uint8Array, from = sha256(oldFile)): Target {
  server.files.set('/whole', newFile).set('/delta', patch);
  const delta = {
    format: 'zstd-patch' as const,
    from,
    url: `${server.url}/delta`,
    size: patch.length,
    sha256: sha256(patch),
  };
  const file = { size: newFile.length, sha256: sha256(newFile), url: `${server.url}/whole`, delta };
  return { sequence: 4, bundleId: 'bnd_1', components: [{ component: 'main', version: '2.0.0', ...file }] };
}

/** A device that runs the old file and can patch it. */
function aRig(target: Target, { knowsHow = true } = {}): UpdateRig {
  server.asked.length = 0;
  const rig = new UpdateRig();
  rig.options = {
    installed: { components: [{ component: 'main', version: '1.0.0', sha256: sha256(oldFile) }] },
  };
  if (knowsHow)
    rig.more = {
      patch: ({ size }, delta) => {
        const options = { dictionary: Buffer.from(oldFile), maxOutputLength: size };
        return [zstdDecompressSync(delta, options as object)];
      },
    };
  rig.platform.target = target;
  rig.powerOn();
  return rig;
}

async function expectNew(rig: UpdateRig, requests: number): Promise<void> {
  expect(await rig.ends('done', 'failed hash_mismatch', 'failed network')).toBe('done');
  expect(sha256(rig.slots.get('main') ?? new Uint8Array())).toBe(sha256(newFile));
  expect(server.asked).toHaveLength(requests);
}

it('a device that can patch downloads a delta instead of the file', async () => {
  const rig = aRig(aTarget(compressed(newFile)));
  await expectNew(rig, 1);
  expect(compressed(newFile).length).toBeLessThan(newFile.length / 10);
  const percents = rig.platform.progress.flatMap(({ percent }) => percent ?? []);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  await expectNew(aRig(aTarget(compressed(newFile)), { knowsHow: false }), 1);
});

it.each([
  ['makes another file', aTarget.bind(null, compressed(otherFile)), 2],
  ['makes a file that is too large', aTarget.bind(null, compressed(Buffer.concat([newFile, newFile]))), 2],
  ['is not one', aTarget.bind(null, Buffer.from('no zstd')), 2],
  ['is made from a file that does not run', aTarget.bind(null, compressed(newFile), sha256(newFile)), 1],
])('a delta that %s is passed over, once, for the whole file', async (_, target, requests) => {
  await expectNew(aRig(target()), requests);
});

it.each([
  ['is not there', [404, 404, 404, 404, 404].map(status => misconducts.status(status)), 6],
  ['arrives damaged', [misconducts.tampered], 2],
])('a delta that %s is passed over for the whole file', async (_, misconduct, requests) => {
  const target = aTarget(compressed(newFile));
  server.misconducts.set('/delta', [...misconduct]);
  await expectNew(aRig(target), requests);
});
