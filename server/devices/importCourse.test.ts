import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { applyImport, readImport, readImportFaults, startImport } from '#contract/deviceBulk.ts';
import { deleteDeviceClass } from '#contract/deviceClass.ts';
import { addMember } from '#contract/member.ts';
import type { Project } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { removeFilesJob } from '#server/files/unkept.ts';
import { keepHouse } from '#server/jobs/housekeeping.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { appliedImport, checkedImport, readOne, rested } from '#test/imports.ts';
import { put } from '#test/logRequests.ts';
import { aWorld, dayMs, hourMs, type SignedIn, type World } from '#test/world.ts';
import { importChores } from './importStore.ts';

let world: World;
let owner: SignedIn;
let project: Project;

beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(() => world.end());

const attempt = { isLast: false, signal: undefined };
const anId = (n: number) => `dev_01k9x3m2h4e6d8b0a2c4e6${n.toString().padStart(4, '0')}`;
const _aKey = 'k'.repeat(32);

async function aTarget(of = project) {
  const { id } = await aClass(owner, of.id);
  return { projectId: of.id, deviceClass: id };
}
const devicesOf = ({ projectId, deviceClass }: { projectId: string; deviceClass: string }) =>
  world.platform.db.many<{ id: string; tag: string; claimCode: string }>(sql`
    select d.id, d.tag, d.claim_code as "claimCode" from devices d
    join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.device_class = ${deviceClass} order by d.tag`);
const apply = (projectId: string, importId: string) =>
  owner.client.call(applyImport, { params: { projectId, importId } });

describe('an import', () => {
  it('waits for its file for an hour, and takes one', async () => {
    const target = await aTarget();
    const params = { projectId: project.id };
    const body = { deviceClass: target.deviceClass, format: 'json', ids: 'new' } as const;
    const { id, uploadUrl = '' } = await owner.client.call(startImport, { params, body });
    expect((await readOne(owner, project.id, id)).uploadUrl).toBe(uploadUrl);
    expect((await put(uploadUrl, '{}')).status).toBe(204);
    expect(await put(uploadUrl, '{}')).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    await rested(owner, project.id, id);
    const late = await owner.client.call(startImport, { params, body });
    world.pass(hourMs + 1000);
    expect(await put(late.uploadUrl ?? '', '{}')).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
    await keepHouse({ ...world.platform, chores: importChores })({}, attempt);
    expect(await readOne(owner, project.id, late.id)).toMatchObject({ state: 'failed' });
  });

  it('is refused while three are under way', async () => {
    const other = await world.aProject(owner);
    const target = await aTarget(other);
    const start = () =>
      owner.client.call(startImport, {
        params: { projectId: other.id },
        body: { deviceClass: target.deviceClass, format: 'json', ids: 'new' },
      });
    const [first] = [await start(), await start(), await start()];
    await failing(start(), 'TOO_MANY_IMPORTS');
    await put(first?.uploadUrl ?? '', '{}');
    await rested(owner, other.id, first?.id ?? '');
    await start();
    await failing(start(), 'TOO_MANY_IMPORTS');
  });

  it('is refused for a class that is not there, to a viewer, and unknown to others', async () => {
    const body = { deviceClass: 'none', format: 'json', ids: 'new' } as const;
    const params = { projectId: project.id };
    await failing(owner.client.call(startImport, { params, body }), 'DEVICE_CLASS_NOT_FOUND');
    const target = await aTarget();
    const { id } = await checkedImport(owner, target, '{}');
    const other = await world.aDeveloper();
    const theirs = { projectId: (await world.aProject(other)).id, importId: id };
    await failing(other.client.call(readImport, { params: theirs }), 'IMPORT_NOT_FOUND');
    await failing(other.client.call(readImportFaults, { params: theirs }), 'IMPORT_NOT_FOUND');
    await failing(other.client.call(applyImport, { params: theirs }), 'IMPORT_NOT_FOUND');
    await owner.client.call(addMember, { params, body: { email: other.email, role: 'viewer' } });
    await failing(other.client.call(readImport, { params: { ...params, importId: id } }), 'ROLE_TOO_LOW');
  });
});

describe('an import in whose way something came', () => {
  it('says on which line and how many were made, and goes on when it is mended', async () => {
    const target = await aTarget();
    const lines = Array.from({ length: 2500 }, (_, i) =>
      JSON.stringify({ tag: `t${i}`, claimCode: `CODE${i + 10_000}` }),
    );
    const { id } = await checkedImport(owner, target, lines.join('\n'));
    const thief = await aDevice(owner, project.id);
    const take = (claimCode: string | null) =>
      owner.client.call(editDevice, { params: { deviceId: thief.id }, body: { claimCode } });
    await take('CODE11200');
    await apply(project.id, id);
    const failed = await rested(owner, project.id, id);
    expect(failed).toMatchObject({ state: 'failed', created: 1000 });
    expect(failed.error).toBe(
      'Device 1201, line 1201: another device has this claim code by now. 1,000 devices were made. Mend it and apply again: it goes on with the next.',
    );
    expect(await devicesOf(target)).toHaveLength(1000);
    await take(null);
    await apply(project.id, id);
    expect(await rested(owner, project.id, id)).toMatchObject({ state: 'done', created: 2500 });
    const tags = (await devicesOf(target)).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(2500);
  });

  it('that its class was deleted, or ids were taken, says so', async () => {
    const target = await aTarget();
    const { id } = await checkedImport(owner, { ...target, ids: 'keep' }, `{"id":"${anId(50)}"}`);
    await appliedImport(owner, { ...(await aTarget()), ids: 'keep' }, `{"id":"${anId(50)}"}`);
    await apply(project.id, id);
    expect((await rested(owner, project.id, id)).error).toMatch(
      /^Device 1, line 1: another device has this id by now/,
    );
    const params = { classId: target.deviceClass };
    await owner.client.call(deleteDeviceClass, { params, query: { projectId: project.id } });
    await apply(project.id, id);
    expect((await rested(owner, project.id, id)).error).toMatch('The device class does not exist any more');
  });
});

it('files that were applied, have faults or are not applied within a day go', async () => {
  const other = await world.aProject(owner);
  const target = await aTarget(other);
  const places = async () =>
    (
      await world.platform.db.many(
        sql`select 1 from device_imports where file is not null and project_id = ${other.id}`,
      )
    ).length;
  await appliedImport(owner, target, '{}');
  await checkedImport(owner, target, '{"tag":1}');
  expect(await places()).toBe(0);
  for (let i = 0; i < 4; i++) await checkedImport(owner, target, '{}');
  expect(await places()).toBe(3);
  const { id } = await checkedImport(owner, target, '{}');
  world.pass(dayMs + hourMs);
  await keepHouse({ ...world.platform, chores: importChores })({}, attempt);
  expect(await places()).toBe(0);
  const row = await world.platform.db.one(sql`select state, error from device_imports where id = ${id}`);
  expect(row).toEqual({ state: 'failed', error: 'It was not applied within a day.' });
  await removeFilesJob(world.platform)({}, attempt);
  expect(
    await world.platform.db.many(sql`select 1 from unkept_files where due_at <= ${world.now()}`),
  ).toEqual([]);
});
