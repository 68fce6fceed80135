import { describe, expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { deleteProject } from '#contract/project.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { fileUrl } from '#server/api/files/links.ts';
import { putImport } from '#server/devices/imports/importUpload.ts';
import { aLoggingDevice, asked, logLines, put, uploaded } from '#test/logRequests.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

const aTarget = () => aLoggingDevice(world);

describe('a link', () => {
  it('that is altered or has another right is rejected', async () => {
    const { target, id, url, uploadUrl } = await uploaded(world);
    const other = await uploaded(world);
    const token = url.split('/').at(-1) ?? '';
    const [letters = '', ...words] = token.split('.');
    const signature = words.pop() ?? '';
    const forged = [
      `${letters}.${words.join('.')}.${signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`,
      `${letters}.${words.join('.')}`,
      `${letters}.${words.join('.')}.`,
      [letters, words[0], other.target.device.id, other.id, words[3], signature].join('.'),
      [letters, other.target.project.id, words[1], words[2], words[3], signature].join('.'),
      [letters, ...words.slice(0, 3), 'zzzzzz', signature].join('.'),
      ['pl', ...words, signature].join('.'),
      'x',
      '..%2f..%2fmaster.key',
    ];
    for (const one of forged) {
      const answer = await fetch(`${world.url}/files/${one}`);
      expect([answer.status, one]).toEqual([403, one]);
      expect(((await answer.json()) as ProblemAnswer).reason).toBe('LINK_EXPIRED');
      expect(await put(`${world.url}/files/${one}`, 'x')).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
    }
    expect(await put(url, logLines(1))).toEqual({ status: 405, reason: 'METHOD_NOT_ALLOWED' });
    expect((await fetch(uploadUrl)).status).toBe(405);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await fetch(url, { method })).status).toBe(405);
    }
    expect((await target.read(id)).status).toBe('success');
  });

  it('to a file is valid for a quarter of an hour', async () => {
    const { url } = await uploaded(world);
    world.pass(14 * minuteMs);
    expect((await fetch(url)).status).toBe(200);
    world.pass(minuteMs + 5_000);
    expect((await fetch(url)).status).toBe(403);
  });

  it('for an upload is valid as long as the request', async () => {
    const { uploadUrl } = await asked(await aTarget());
    world.pass(7 * dayMs + 1000);
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
  });

  it('to a file of a deleted device or project is rejected', async () => {
    const one = await uploaded(world);
    await one.target.owner.client.call(deleteDevice, { params: { deviceId: one.target.device.id } });
    const answer = await fetch(one.url);
    expect([answer.status, ((await answer.json()) as ProblemAnswer).reason]).toEqual([404, 'FILE_NOT_FOUND']);
    const two = await uploaded(world);
    await two.target.owner.client.call(deleteProject, { params: { projectId: two.target.project.id } });
    expect((await fetch(two.url)).status).toBe(404);
  });

  it('is not leaked by referrer or caches', async () => {
    const { url } = await uploaded(world);
    const answer = await fetch(url);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('a download', () => {
  it('is saved as a file, and not opened by browsers', async () => {
    const { target, url } = await uploaded(world);
    const { headers } = await fetch(url);
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch("default-src 'none'");
    const name = `log-${target.device.id}-2026-11-20.jsonl.gz`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  });

  it('can be requested in ranges', async () => {
    const { url, target, id } = await uploaded(world);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const size = whole.length;
    const get = async (range: string, more: Record<string, string> = {}) => {
      const answer = await fetch(url, { headers: { range, ...more } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, range: answer.headers.get('content-range'), bytes };
    };
    expect(await get('bytes=0-9')).toEqual({
      status: 206,
      range: `bytes 0-9/${size}`,
      bytes: whole.subarray(0, 10),
    });
    expect(await get('bytes=10-')).toMatchObject({ status: 206, bytes: whole.subarray(10) });
    expect(await get('bytes=-4')).toMatchObject({ status: 206, bytes: whole.subarray(-4) });
    expect(await get(`bytes=0-${size * 9}`)).toMatchObject({ status: 206, bytes: whole });
    expect(await get(`bytes=-${size * 9}`)).toMatchObject({ status: 206, bytes: whole });
    for (const past of [`bytes=${size}-`, 'bytes=-0', 'bytes=-00', `bytes=${size + 1}-${size + 2}`])
      expect(await get(past)).toMatchObject({ status: 416, range: `bytes */${size}` });
    for (const strange of ['bytes=5-1', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,3-4', 'bytes=1e3-'])
      expect(await get(strange)).toMatchObject({ status: 200, bytes: whole });
    expect(await get('bytes=0-0', { 'if-range': `"${id}"` })).toMatchObject({ status: 206 });
    expect(await get('bytes=0-0', { 'if-range': '"another"' })).toMatchObject({ status: 200 });
    expect((await target.read(id)).sizeBytes).toBe(size);
  });

  it('can be requested with HEAD, without its content', async () => {
    const { url, target, id } = await uploaded(world);
    const answer = await fetch(url, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBe((await target.read(id)).sizeBytes);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
  });
});

it('a link starts with the public address of the platform', () => {
  const platform = { ...world.platform, publicUrl: () => 'https://iot.example' };
  const link = putImport({ projectId: 'prj_1', importId: 'imp_1' });
  expect(fileUrl(platform, link, new Date(36_000))).toMatch(
    /^https:\/\/iot.example\/files\/pi\.prj_1\.imp_1\.10\.[\w-]{43}$/,
  );
});
