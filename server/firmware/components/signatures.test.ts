import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { editComponent } from '#contract/component.ts';
import { editComponentVersion } from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { signedVersion } from '#rules/firmware/signedVersion.ts';
import { failing } from '#test/failing.ts';
import { anUploadTarget, sha256, upload } from '#test/uploads.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

describe('a version of a component with signing keys', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');

  async function aSigned() {
    const target = await anUploadTarget(world);
    const { componentId } = target.version;
    const signingKeys = [{ id: 'release', publicKey: key }];
    await target.call(editComponent, { params: { componentId }, body: { signingKeys } });
    const file = randomBytes(2000);
    const { componentName, name, securityVersion } = target.version;
    const signed = { project: target.projectId, component: componentName, version: name, securityVersion };
    const value = (more: object = {}) => {
      const text = signedVersion({ ...signed, size: file.length, sha256: sha256(file), ...more });
      return sign(null, Buffer.from(text), privateKey).toString('base64');
    };
    return { target, file, value, componentId };
  }

  it('is ready only with a signature by one of them over exactly this file', async () => {
    const { target, file, value } = await aSigned();
    const failed = await upload(target, file);
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('not signed') });
    for (const wrong of [
      { keyId: 'release', value: value({ version: 'another' }) },
      { keyId: 'release', value: value({ securityVersion: 9 }) },
      { keyId: 'another', value: value() },
    ]) {
      const refused = await upload(target, file, { signature: wrong });
      expect(refused).toMatchObject({ state: 'failed', error: expect.stringContaining('signing key') });
      expect('url' in refused).toBe(false);
    }
    const signature = { keyId: 'release', value: value() };
    expect(await upload(target, file, { signature })).toMatchObject({ state: 'ready', signature });
  });

  it('can only be changed with a new valid signature', async () => {
    const { target, file, value, componentId } = await aSigned();
    await upload(target, file, { signature: { keyId: 'release', value: value() } });
    const edit = (body: BodyOf<typeof editComponentVersion>) =>
      target.call(editComponentVersion, { params: target.params, body });
    for (const body of [{ name: 'x' }, { securityVersion: 3 }, { signature: null }])
      await failing(edit(body), 'SIGNATURE_INVALID');
    const rename = target.call(editComponent, { params: { componentId }, body: { name: 'x' } });
    await failing(rename, 'NAME_IN_USE');
    const signature = { keyId: 'release', value: value({ securityVersion: 3 }) };
    expect(await edit({ securityVersion: 3, signature })).toMatchObject({ securityVersion: 3, signature });
  });
});
