import { expect, it } from 'vitest';
import { signedVersion } from './signedVersion.ts';
import { digestedComponents, targetProof } from './targetProof.ts';

const main = { component: 'main', version: '1.3.0', securityVersion: 2, sha256: 'ab12' };

it('the signed text is exactly the text that devices build', () => {
  expect(signedVersion({ size: 5, project: 'prj_1', ...main, sha256: 'AB12' })).toBe(
    '{"project":"prj_1","class":"","component":"main","version":"1.3.0","securityVersion":2,"size":5,"sha256":"ab12"}',
  );
  expect(digestedComponents([main])).toBe('[["main","1.3.0","ab12",2]]');
  const [issuedAt, expiresAt] = ['2026-11-20T08:30:00.000Z', '2026-11-21T08:30:00.000Z'];
  expect(targetProof({ deviceId: 'dev_1', sequence: 4, issuedAt, expiresAt, digest: 'cd' })).toBe(
    `dev_1\n4\n${issuedAt}\n${expiresAt}\ncd`,
  );
});
