import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawCall } from '#test/rawCall.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

// What every endpoint must refuse is tested in test/matrix/matrix.test.ts; this file tests the rest.
const world = theWorld();
let owner: SignedIn;
beforeAll(async () => {
  owner = await world.aDeveloper();
});

const post = (body: string | Uint8Array<ArrayBuffer> | object, headers: Record<string, string> = {}) =>
  rawCall(owner.fetch, ['POST', `${world.url}/api/projects`], body, headers);

describe('a body', () => {
  it('that is compressed is refused before it is decompressed', async () => {
    const bomb = Uint8Array.from(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    const { status, problem } = await post(bomb, { 'content-encoding': 'gzip' });
    expect([status, problem.reason]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('without a known content type, or of several parts, is refused', async () => {
    for (const type of [
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/jsonx',
    ]) {
      const { status, problem } = await post('{"name":"a"}', { 'content-type': type });
      expect([status, problem.reason], type).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  it('of JSON for a form-encoded call gets a message with the required type', async () => {
    const address = `${world.url}/api/projects/none/members`;
    const { status, problem } = await rawCall(owner.fetch, ['POST', address], { email: 'a@example.com' });
    expect([status, problem.message]).toEqual([415, 'Send the body as application/x-www-form-urlencoded.']);
  });

  it('keeps emoji, other scripts and both writing directions', async () => {
    const name = '🛰️ Ångström 測定 مرحبا';
    const { status, text } = await post({ name }, { 'content-type': 'application/json; charset=utf-8' });
    expect([status, JSON.parse(text)]).toEqual([201, expect.objectContaining({ name })]);
  });

  it('with a wrong type, a blank value or a text that is too long gets an error that names the field', async () => {
    const cases = [
      [{ name: 1 }, { name: 'WRONG_TYPE' }],
      [{ name: null }, { name: 'WRONG_TYPE' }],
      [{}, { name: 'REQUIRED' }],
      [{ name: '   ' }, { name: 'TOO_SHORT' }],
      [{ name: 'a'.repeat(201) }, { name: 'TOO_LONG' }],
      [{ name: 'a\u0007' }, { name: 'INVALID' }],
      [{ name: 'a', description: ['x'] }, { description: 'WRONG_TYPE' }],
    ] as const;
    for (const [body, fields] of cases) {
      expect((await post(body)).problem, JSON.stringify(body)).toMatchObject({
        reason: 'INVALID_FIELDS',
        fields,
      });
    }
  });

  it('that a foreign page can send with a form changes nothing', async () => {
    const headers = { 'content-type': 'text/plain', 'x-console-guard': '' };
    const { status, problem } = await post('{"name":"a"}', headers);
    expect([status, problem.reason]).toEqual([403, 'GUARD_MISSING']);
  });
});
