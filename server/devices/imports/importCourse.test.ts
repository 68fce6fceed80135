import { describe, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { applyImport, readImport, readImportFaults, startImport } from '#contract/deviceBulk.ts';
import { deleteDeviceClass } from '#contract/deviceClass.ts';
import { addMember } from '#contract/team.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { removeFilesJob } from '#server/api/files/receiveFile.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { attempt } from '#test/attempt.ts';
import { failing } from '#test/failing.ts';
import {
  anId,
  appliedImport,
  apply,
  aTarget,
  checkedImport,
  importedInto,
  readOne,
  rested,
} from '#test/imports.ts';
import { put } from '#test/logRequests.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { importChores } from './importStore.ts';

const at = aProjectWorld();

describe('an import', () => {
  it('waits an hour for its file, and accepts only one', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const params = { projectId: at.projectId };
    const body = { deviceClass: target.deviceClass, format: 'json', ids: 'new' } as const;
    const { id, uploadUrl = '' } = await at.owner.client.call(startImport, { params, body });
    expect((await readOne(at.owner, at.projectId, id)).uploadUrl).toBe(uploadUrl);
    expect((await put(uploadUrl, '{}')).status).toBe(204);
    expect(await put(uploadUrl, '{}')).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    await rested(at.owner, at.projectId, id);
    const late = await at.owner.client.call(startImport, { params, body });
    at.world.pass(hourMs + 1000);
    expect(await put(late.uploadUrl ?? '', '{}')).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
    await keepHouse({ ...at.world.platform, chores: importChores })({}, attempt);
    expect(await readOne(at.owner, at.projectId, late.id)).toMatchObject({ state: 'failed' });
  });

  it('is refused while three are in progress', async () => {
    const other = await at.world.aProject(at.owner);
    const target = await aTarget(at.owner, other.id);
    const start = () =>
      at.owner.client.call(startImport, {
        params: { projectId: other.id },
        body: { deviceClass: target.deviceClass, format: 'json', ids: 'new' },
      });
    const [first] = [await start(), await start(), await start()];
    await failing(start(), 'TOO_MANY_IMPORTS');
    await put(first?.uploadUrl ?? '', '{}');
    await rested(at.owner, other.id, first?.id ?? '');
    await start();
    await failing(start(), 'TOO_MANY_IMPORTS');
  });

  it('is refused for an unknown class and to a viewer, and is unknown to others', async () => {
    const body = { deviceClass: 'none', format: 'json', ids: 'new' } as const;
    const params = { projectId: at.projectId };
    await failing(at.owner.client.call(startImport, { params, body }), 'DEVICE_CLASS_NOT_FOUND');
    const target = await aTarget(at.owner, at.projectId);
    const { id } = await checkedImport(at.owner, target, '{}');
    const other = await at.world.aDeveloper();
    const theirs = { projectId: (await at.world.aProject(other)).id, importId: id };
    await failing(other.client.call(readImport, { params: theirs }), 'IMPORT_NOT_FOUND');
    await failing(other.client.call(readImportFaults, { params: theirs }), 'IMPORT_NOT_FOUND');
    await failing(other.client.call(applyImport, { params: theirs }), 'IMPORT_NOT_FOUND');
    await at.owner.client.call(addMember, { params, body: { email: other.email, role: 'viewer' } });
    await failing(other.client.call(readImport, { params: { ...params, importId: id } }), 'ROLE_TOO_LOW');
  });
});

describe('an import that cannot go on', () => {
  it('says on which line and how many were created, and continues once that is fixed', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const lines = Array.from({ length: 2500 }, (_, i) =>
      JSON.stringify({ tag: `t${i}`, claimCode: `CODE${i + 10_000}` }),
    );
    const { id } = await checkedImport(at.owner, target, lines.join('\n'));
    const thief = await at.device();
    const take = (claimCode: string | null) =>
      at.owner.client.call(editDevice, { params: { deviceId: thief.id }, body: { claimCode } });
    await take('CODE11200');
    await apply(at.owner, at.projectId, id);
    const failed = await rested(at.owner, at.projectId, id);
    expect(failed).toMatchObject({ state: 'failed', created: 1000 });
    expect(failed.error).toBe(
      'Device 1201, line 1201: another device now has this claim code. 1,000 devices were created. Fix the cause and apply again to continue with the rest.',
    );
    expect(await importedInto(at.world, target)).toHaveLength(1000);
    await take(null);
    await apply(at.owner, at.projectId, id);
    expect(await rested(at.owner, at.projectId, id)).toMatchObject({ state: 'done', created: 2500 });
    const tags = (await importedInto(at.world, target)).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(2500);
  });

  it('says that its class was deleted, or that ids were taken', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const { id } = await checkedImport(at.owner, { ...target, ids: 'keep' }, `{"id":"${anId(50)}"}`);
    await appliedImport(
      at.owner,
      { ...(await aTarget(at.owner, at.projectId)), ids: 'keep' },
      `{"id":"${anId(50)}"}`,
    );
    await apply(at.owner, at.projectId, id);
    expect((await rested(at.owner, at.projectId, id)).error).toMatch(
      /^Device 1, line 1: another device now has this id/,
    );
    const params = { classId: target.deviceClass };
    await at.owner.client.call(deleteDeviceClass, { params, query: { projectId: at.projectId } });
    await apply(at.owner, at.projectId, id);
    expect((await rested(at.owner, at.projectId, id)).error).toMatch('The device class no longer exists');
  });
});

it('files that were applied, have errors or are not applied within a day are deleted', async () => {
  const other = await at.world.aProject(at.owner);
  const target = await aTarget(at.owner, other.id);
  const places = async () =>
    (
      await at.world.platform.db.many(
        sql`select 1 from device_imports where file is not null and project_id = ${other.id}`,
      )
    ).length;
  await appliedImport(at.owner, target, '{}');
  await checkedImport(at.owner, target, '{"tag":1}');
  expect(await places()).toBe(0);
  for (let i = 0; i < 4; i++) await checkedImport(at.owner, target, '{}');
  // A file is validated a moment before an older one is removed to make room.
  await until(async () => ((await places()) === 3 ? true : undefined));
  const { id } = await checkedImport(at.owner, target, '{}');
  at.world.pass(dayMs + hourMs);
  await keepHouse({ ...at.world.platform, chores: importChores })({}, attempt);
  expect(await places()).toBe(0);
  const row = await at.world.platform.db.one(sql`select state, error from device_imports where id = ${id}`);
  expect(row).toEqual({ state: 'failed', error: 'It was not applied within a day.' });
  await removeFilesJob(at.world.platform)({}, attempt);
  expect(
    await at.world.platform.db.many(sql`select 1 from unkept_files where due_at <= ${at.world.now()}`),
  ).toEqual([]);
});
