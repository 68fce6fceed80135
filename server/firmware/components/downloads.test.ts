import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteComponentVersion, readComponentVersion } from '#contract/componentVersion.ts';
import { deleteDevice, editDevice } from '#contract/device.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { editProject } from '#contract/project.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { download } from '#test/uploads.ts';
import { aReadyVersion } from '#test/versions.ts';
import { firmwareUrl } from './firmwareLink.ts';

const at = aProjectWorld();

async function refused(url: string): Promise<[number, string, string]> {
  const answer = await fetch(url);
  const { reason, message } = (await answer.json()) as ProblemAnswer;
  return [answer.status, reason, message];
}
const gone = [404, 'FILE_NOT_FOUND', 'This file cannot be downloaded.'];

/** A version with a file, a device, and the device's link to the file. */
async function firmware(content = randomBytes(700_000)) {
  const version = await aReadyVersion(at.world, at.owner, at.projectId, { content });
  const device = await at.device();
  const until = new Date(at.world.now().getTime() + 24 * hourMs);
  const ids = { projectId: at.projectId, versionId: version.id, deviceId: device.id };
  return { content, version, device, url: firmwareUrl(at.world.platform, ids, until) };
}

describe('a download of firmware', () => {
  it('can be resumed at any byte, as long as the file is the same', async () => {
    const { content, version, url } = await firmware();
    const etag = `"${version.checksum}"`;
    const get = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { headers });
      expect(answer.headers.get('etag')).toBe(answer.status === 416 ? null : etag);
      expect(answer.headers.get('connection')).toBe('keep-alive');
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    expect(await get({})).toEqual({ status: 200, bytes: content });
    const range = 'bytes=262140-';
    expect(await get({ range, 'if-range': etag })).toEqual({ status: 206, bytes: content.subarray(262_140) });
    expect(await get({ range, 'if-range': '"other"' })).toEqual({ status: 200, bytes: content });
    expect(await get({ range: `bytes=${content.length}-` })).toMatchObject({ status: 416 });
    let offset = 0;
    const parts: Buffer[] = [];
    while (offset < 20_000) {
      const { bytes } = await get({ range: `bytes=${offset}-${offset + 4095}`, 'if-range': etag });
      parts.push(bytes);
      offset += bytes.length;
    }
    expect(Buffer.concat(parts).equals(content.subarray(0, offset))).toBe(true);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual(['700000', etag]);
    expect(head.headers.get('content-type')).toBe('application/octet-stream');
    expect(head.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('delivers the whole file to many callers at once', async () => {
    const { content, url } = await firmware();
    const all = await Promise.all(Array.from({ length: 40 }, () => download(url)));
    expect(all.every(one => one.equals(content))).toBe(true);
  });

  it('counts the bytes sent to its device, but not downloads by people', async () => {
    const { content, version, device, url } = await firmware();
    const { db } = at.world.platform;
    await db.run(sql`
      insert into device_targets (project_id, device_id, device_class, sequence, assigned_at, state, state_at)
      select project_id, id, device_class, 1, now(), 'none', now() from devices where id = ${device.id}
      on conflict do nothing`);
    await download(version.url);
    await fetch(url, { method: 'HEAD' });
    await download(url);
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    await part.arrayBuffer();
    const counted = async () => {
      const row = await db.one<{ bytes: number }>(sql`
        select bytes::float8 as bytes from device_targets where device_id = ${device.id}`);
      return row?.bytes === content.length + 10 ? true : undefined;
    };
    await until(counted);
  });

  it('is refused with an altered link, and to a device that may not have it', async () => {
    const { version, device, url } = await firmware();
    const other = await at.device();
    for (const altered of [url.replace(device.id, other.id), url.slice(0, -2), url.replace('/gf.', '/gv.')])
      expect((await refused(altered)).slice(0, 2)).toEqual([403, 'LINK_EXPIRED']);
    const params = { deviceId: device.id };
    await at.owner.client.call(editDevice, { params, body: { suspended: true } });
    expect(await refused(url)).toEqual(gone);
    await at.owner.client.call(editDevice, { params, body: { suspended: false } });
    expect((await fetch(url)).status).toBe(200);
    await at.owner.client.call(deleteDevice, { params });
    expect(await refused(url)).toEqual(gone);
    await at.owner.client.call(deleteComponentVersion, { params: { versionId: version.id } });
    expect(await refused(version.url ?? '')).toEqual(gone);
  });

  it('at its fixed address works only in projects that publish their firmware', async () => {
    const { content, version } = await firmware();
    const url = `${at.world.url}/firmware/${version.id}`;
    expect(await refused(url)).toEqual(gone);
    const open = (allowPublicOTAU: boolean) =>
      at.owner.client.call(editProject, { params: { projectId: at.projectId }, body: { allowPublicOTAU } });
    await open(true);
    expect((await download(url)).equals(content)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 0-9/700000']);
    await open(false);
    expect(await refused(url)).toEqual(gone);
    expect(await refused(`${at.world.url}/firmware/ver_none`)).toEqual(gone);
  });

  it('is refused once its link has expired, until the person or the device gets a new link', async () => {
    const { version, url } = await firmware();
    at.world.pass(16 * minuteMs);
    expect((await refused(version.url ?? '')).slice(0, 2)).toEqual([403, 'LINK_EXPIRED']);
    const params = { versionId: version.id };
    const again = await at.owner.client.call(readComponentVersion, { params });
    expect((await fetch(again.url ?? '')).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    at.world.pass(24 * hourMs);
    expect((await refused(url)).slice(0, 2)).toEqual([403, 'URL_EXPIRED']);
  });
});
