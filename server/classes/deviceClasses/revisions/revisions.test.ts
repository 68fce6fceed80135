import { describe, expect, it } from 'vitest';
import { createDeviceClass, deleteDeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import {
  classRevisionsMax,
  listDeviceClassRevisions,
  readDeviceClassRevision,
} from '#contract/deviceClassRevision.ts';
import { deleteProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { rawCall } from '#test/rawCall.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();

const named = (classId: string, projectId = at.projectId) => ({ params: { classId }, query: { projectId } });

const edit = (classId: string, body: object, by = at.owner) =>
  by.client.call(editDeviceClass, { ...named(classId), body });

const list = (classId: string, by = at.owner) => by.client.call(listDeviceClassRevisions, named(classId));

const read = (classId: string, revision: string | number, by = at.owner) =>
  by.client.call(readDeviceClassRevision, {
    params: { classId, revision: String(revision) },
    query: { projectId: at.projectId },
  });

async function aMember(role: 'viewer' | 'developer') {
  const member = await at.world.aDeveloper({ name: unique('Priya') });
  const params = { projectId: at.projectId };
  await at.owner.client.call(addMember, { params, body: { email: member.email, role } });
  return member;
}

const keptOf = async (projectId: string) =>
  (
    await at.world.platform.db.one<{ count: number }>(
      sql`select count(*)::int as count from device_class_revisions where project_id = ${projectId}`,
    )
  )?.count;

describe('the revisions of a device class', () => {
  it('are saved when it is created and on each change, with who, when and what', async () => {
    const stateSchema = { type: 'object', properties: { b: true, a: { minimum: 1 } } };
    const { id } = await at.deviceClass({ stateSchema });
    const priya = await aMember('developer');
    await edit(id, { stateSchema: null, description: 'Lamps' }, priya);
    await edit(id, { rebootMinutes: 60, description: 'Lamps' });
    const rows = await list(id);
    const by = ({ developer }: typeof priya) => ({ id: developer.id, name: developer.name });
    const savedAt = expect.any(String);
    expect(rows).toEqual([
      { revision: 3, changed: ['rebootMinutes'], removed: [], savedAt, savedBy: by(at.owner) },
      {
        revision: 2,
        changed: ['description', 'stateSchema'],
        removed: ['stateSchema'],
        savedAt,
        savedBy: by(priya),
      },
      { revision: 1, changed: [], removed: [], savedAt, savedBy: by(at.owner) },
    ]);
  });

  it('are read in full, as they were written', async () => {
    const stateSchema = { type: 'object', properties: { b: true, a: { minimum: 1 } } };
    const made = await at.deviceClass({ description: 'Lamps', stateSchema, eventSchemas: { door: true } });
    await edit(made.id, { stateSchema: true, eventSchemas: null, sendsDeltas: true });
    const [, first] = await list(made.id);
    const { offerMinutes, downloadMinutes, installMinutes, rebootMinutes } = made;
    const minutes = { offerMinutes, downloadMinutes, installMinutes, rebootMinutes };
    const found = await read(made.id, 1);
    expect(found).toEqual({
      ...first,
      ...minutes,
      description: 'Lamps',
      stateSchema,
      eventSchemas: { door: true },
      sendsDeltas: false,
    });
    expect(JSON.stringify(found.stateSchema)).toBe(JSON.stringify(stateSchema));
    expect('eventSchemas' in (await read(made.id, 2))).toBe(false);
    for (const none of ['0', '3', 'x', '99999999999'])
      await failing(read(made.id, none), 'CLASS_REVISION_NOT_FOUND');
  });

  it('are listed in full or in pages, and found by who saved them', async () => {
    const { id } = await at.deviceClass();
    const priya = await aMember('developer');
    await edit(id, { description: 'a' }, priya);
    await edit(id, { description: 'b' });
    const ask = async (query: string) => {
      const { headers, text } = await rawCall(at.owner.fetch, [
        'GET',
        `${at.world.url}/api/deviceClasses/${id}/revisions?projectId=${at.projectId}${query}`,
      ]);
      const rows: { revision: number }[] = JSON.parse(text);
      return [headers.get('content-range'), rows.map(({ revision }) => revision)];
    };
    expect(await ask('')).toEqual(['items 0-2/3', [3, 2, 1]]);
    expect(await ask('&limit=1&skip=1')).toEqual(['items 1-1/3', [2]]);
    expect(await ask('&sortBy=revision:asc&limit=2')).toEqual(['items 0-1/3', [1, 2]]);
    expect(await ask(`&search=${priya.developer.name.toUpperCase()}`)).toEqual(['items 0-0/1', [2]]);
  });

  it('are each saved once, even if concurrent calls change the class', async () => {
    const { id } = await at.deviceClass();
    await atOnce(8, n => edit(id, { description: `edit ${n}` }));
    const rows = await list(id);
    expect(rows.map(({ revision }) => revision)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('are saved with the change or not at all', async () => {
    const { db } = at.world.platform;
    await db.run(
      sql`alter table device_class_revisions add constraint full_disk check (description <> 'lost')`,
    );
    const { id } = await at.deviceClass({ description: 'kept' });
    await expect(edit(id, { description: 'lost' })).rejects.toThrow();
    await expect(at.deviceClass({ id: 'lost', description: 'lost' })).rejects.toThrow();
    await db.run(sql`alter table device_class_revisions drop constraint full_disk`);
    const class_ = await edit(id, { installMinutes: 5 });
    expect(class_).toMatchObject({ description: 'kept', revision: 2 });
    expect((await list(id)).map(({ changed }) => changed)).toEqual([['installMinutes'], []]);
    await at.deviceClass({ id: 'lost' });
  });

  it('are the latest fifty, including the current one', async () => {
    const { id } = await at.deviceClass();
    for (let n = 2; n <= classRevisionsMax.count + 2; n++) await edit(id, { description: `${n}` });
    const rows = await list(id);
    expect(rows).toHaveLength(classRevisionsMax.count);
    expect(rows.at(0)?.revision).toBe(classRevisionsMax.count + 2);
    await failing(read(id, 2), 'CLASS_REVISION_NOT_FOUND');
    expect((await read(id, 3)).description).toBe('3');
  });

  it('are as many as fit, but always include the current one', async () => {
    const { id } = await at.deviceClass();
    const { db } = at.world.platform;
    await edit(id, { description: 'a' });
    await db.run(sql`
      update device_class_revisions set bytes = ${classRevisionsMax.bytes} where device_class = ${id} and revision = 2`);
    await edit(id, { description: 'b' });
    expect((await list(id)).map(({ revision }) => revision)).toEqual([3]);
  });

  it('are readable for anyone who can read the class, and unknown to everyone else', async () => {
    const { id } = await at.deviceClass();
    const [viewer, stranger] = [await aMember('viewer'), await at.world.aDeveloper()];
    expect(await list(id, viewer)).toHaveLength(1);
    expect(await read(id, 1, viewer)).toMatchObject({ revision: 1 });
    await failing(list(id, stranger), 'DEVICE_CLASS_NOT_FOUND');
    await failing(read(id, 1, stranger), 'DEVICE_CLASS_NOT_FOUND');
  });

  it('are deleted with their class, and a class created again starts anew', async () => {
    const { id } = await at.deviceClass({ description: 'first' });
    await edit(id, { description: 'second' });
    await at.owner.client.call(deleteDeviceClass, named(id));
    await failing(list(id), 'DEVICE_CLASS_NOT_FOUND');
    await at.deviceClass({ id });
    expect(await list(id)).toHaveLength(1);
    expect((await read(id, 1)).description).toBe('');
  });

  it('are deleted with their project', async () => {
    const project = await at.world.aProject(at.owner);
    await aClass(at.owner, project.id);
    await at.owner.client.call(createDeviceClass, {
      params: { projectId: project.id },
      body: { id: unique('lamp') },
    });
    expect(await keptOf(project.id)).toBe(2);
    await at.owner.client.call(deleteProject, { params: { projectId: project.id } });
    await until(async () => (await keptOf(project.id)) === 0 || undefined);
  });
});
