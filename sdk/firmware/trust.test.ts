import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { signedVersion } from '#rules/firmware/signedVersion.ts';
import { digestedComponents, targetProof } from '#rules/firmware/targetProof.ts';
import { sha256 } from '#test/updateRig.ts';
import type { Target } from '../frames.ts';
import { checkTarget } from './checkTarget.ts';
import type { UpdateFault } from './updateFault.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const [developer, platform, stranger] = Array.from({ length: 3 }, () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
});
type Key = NonNullable<typeof developer>;

const main = {
  component: 'main',
  version: '2.0.0',
  size: 5,
  sha256: 'ab'.repeat(32),
  securityVersion: 2,
  url: 'https://files.example.com/main',
};

/** A target signed with these keys in the same way as the developer and the platform do. */
function aTarget(by: { developer?: Key | undefined; platform?: Key | undefined }, sequence = 4): Target {
  const value = by.developer?.sign(signedVersion({ project: 'prj_1', ...main })) ?? '';
  const dates = { issuedAt: '2026-11-20T08:00:00.000Z', expiresAt: '2026-11-21T08:00:00.000Z' };
  const digest = sha256(Buffer.from(digestedComponents([main])));
  const text = targetProof({ deviceId: 'dev_1', sequence, ...dates, digest });
  return {
    sequence,
    bundleId: 'bnd_1',
    components: [{ ...main, signature: { keyId: 'k1', value } }],
    ...(by.platform && { proof: { ...dates, digest, signature: by.platform.sign(text) } }),
  };
}

const right = aTarget({ developer, platform });
const [first = main] = right.components;
const trust = {
  project: 'prj_1',
  developerKeys: [{ id: 'k1', publicKey: developer?.publicKey ?? '' }],
  platformKey: platform?.publicKey ?? '',
};

async function verdict(target: Target, { at = now, deviceId = 'dev_1', highest = 0 } = {}): Promise<string> {
  const memory = { installed: { components: [] }, securityVersions: {}, sequence: highest };
  const checking = checkTarget(target, memory, { deviceId, trust, now: at });
  return checking.then(
    () => 'accepted',
    (fault: UpdateFault) => fault.code,
  );
}

it('a target is accepted only if the developer and the platform signed it for this device and it has not expired', async () => {
  const { proof, ...unproven } = right;
  const old = developer?.sign(signedVersion({ project: 'prj_1', ...main, version: '1.0.0' })) ?? '';
  const tampered = { ...first, sha256: 'cd'.repeat(32) };
  const verdicts = {
    right: await verdict(right),
    'signed by a stranger': await verdict(aTarget({ developer: stranger, platform })),
    'not signed': await verdict({ ...right, components: [main] }),
    'proven by a stranger': await verdict(aTarget({ developer, platform: stranger })),
    'not proven': await verdict(unproven),
    'with another file': await verdict({ ...right, components: [tampered] }),
    'with the signature of an older version': await verdict(
      aTarget({ developer: developer && { ...developer, sign: () => old }, platform }),
    ),
    'with another size': await verdict({ ...right, components: [{ ...first, size: 6 }] }),
    'of another number': await verdict({ ...right, sequence: 5 }),
    'of another device': await verdict(right, { deviceId: 'dev_2' }),
    expired: await verdict(right, { at: new Date('2026-11-21T08:00:00.000Z') }),
    'older than what is installed': await verdict(right, { highest: 5 }),
    'without sense': await verdict({ ...right, components: [{ ...first, sha256: 'x' }] }),
  };
  expect(verdicts).toEqual({
    right: 'accepted',
    'signed by a stranger': 'signature_invalid',
    'not signed': 'signature_invalid',
    'proven by a stranger': 'signature_invalid',
    'not proven': 'signature_invalid',
    'with another file': 'manifest_invalid',
    'with the signature of an older version': 'signature_invalid',
    'with another size': 'signature_invalid',
    'of another number': 'signature_invalid',
    'of another device': 'signature_invalid',
    // Not final: the clock of the device may be wrong.
    expired: 'url_expired',
    'older than what is installed': 'manifest_invalid',
    'without sense': 'manifest_invalid',
  });
  expect(proof).toBeDefined();
});
