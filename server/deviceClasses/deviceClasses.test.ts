import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import {
  createDeviceClass,
  deleteDeviceClass,
  editDeviceClass,
  listDeviceClasses,
  readDeviceClass,
} from '#contract/deviceClass.ts';
import { addMember } from '#contract/member.ts';
import type { Project } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aWorld, type SignedIn, unique, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let project: Project;
beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(() => world.end());

const at = (classId: string, projectId = project.id) => ({ params: { classId }, query: { projectId } });
const remove = (classId: string) => owner.client.call(deleteDeviceClass, at(classId));

describe('a device class', () => {
  it('is read as it was answered, and listed without its schemas', async () => {
    const stateSchema = { type: 'object', properties: { on: { type: 'boolean' } } };
    const made = await aClass(owner, project.id, {
      description: 'Lamps',
      stateSchema,
      eventSchemas: { door: true },
    });
    expect(made).toMatchObject({
      projectId: project.id,
      description: 'Lamps',
      stateSchema,
      eventSchemas: { door: true },
      deviceCount: 0,
      connectedCount: 0,
      quarantineCount: 0,
      revision: 1,
    });
    expect('commandSchemas' in made).toBe(false);
    expect(await owner.client.call(readDeviceClass, at(made.id))).toEqual(made);
    const { items } = await owner.client.call(listDeviceClasses, {
      params: { projectId: project.id },
      query: { search: made.id },
    });
    const { stateSchema: _, eventSchemas: __, ...row } = made;
    expect(items).toEqual([row]);
  });

  it('has an id that is its own in the project, however many ask at once', async () => {
    const id = unique('thermostat');
    const { answers, reasons } = await atOnce(8, () => aClass(owner, project.id, { id }));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['ID_TAKEN']));
    const { fields } = await failing(aClass(owner, project.id, { id }), 'ID_TAKEN');
    expect(fields).toEqual({ id: 'ID_TAKEN' });
    const other = await world.aProject(owner);
    await aClass(owner, other.id, { id });
  });

  it('is found without its project unless two projects of the caller have one of its id', async () => {
    const { id } = await aClass(owner, project.id);
    const stranger = await world.aDeveloper();
    await aClass(stranger, (await world.aProject(stranger)).id, { id });
    const classId = id;
    const found = await owner.client.call(readDeviceClass, { params: { classId } });
    expect(found.projectId).toBe(project.id);
    const other = await world.aProject(owner);
    await aClass(owner, other.id, { id });
    await failing(owner.client.call(readDeviceClass, { params: { classId } }), 'AMBIGUOUS_ID');
    const named = await owner.client.call(readDeviceClass, at(id, other.id));
    expect(named.projectId).toBe(other.id);
  });

  it('changes only what is sent; a schema that is null is taken away', async () => {
    const made = await aClass(owner, project.id, { description: 'a', stateSchema: true, commandSchemas: {} });
    const edit = { ...at(made.id), body: { stateSchema: null }, ifMatch: 1 };
    const { stateSchema: _, ...rest } = made;
    expect(await owner.client.call(editDeviceClass, edit)).toEqual({ ...rest, revision: 2 });
    await failing(owner.client.call(editDeviceClass, edit), 'STALE');
  });

  it.each([
    [{ stateSchema: { type: 'strin' } }, '/stateSchema/type'],
    [
      { eventSchemas: { ok: true, door: { properties: { a: { $ref: '#' } } } } },
      '/eventSchemas/door/properties/a/$ref',
    ],
    [{ commandSchemas: { blink: { pattern: '(' } } }, '/commandSchemas/blink/pattern'],
    [
      {
        eventSchemas: Object.fromEntries(
          Array.from({ length: 5 }, (_, i) => [`e${i}`, { title: 'x'.repeat(60_000) }]),
        ),
      },
      '/eventSchemas',
    ],
  ])('with a schema that cannot be used is told the place: %#', async (schemas, at) => {
    const refused = await failing(aClass(owner, project.id, schemas), 'INVALID_SCHEMA');
    expect(refused.context).toEqual({ at, text: expect.any(String) });
    const { id } = await aClass(owner, project.id);
    await failing(
      owner.client.call(editDeviceClass, {
        params: { classId: id },
        query: { projectId: project.id },
        body: schemas,
      }),
      'INVALID_SCHEMA',
    );
  });

  it('counts its devices exactly while they come and go at once', async () => {
    const { id: deviceClass } = await aClass(owner, project.id);
    const made = await Promise.all(
      Array.from({ length: 20 }, () => aDevice(owner, project.id, { deviceClass })),
    );
    await Promise.all([
      ...made.slice(0, 7).map(({ id }) => owner.client.call(deleteDevice, { params: { deviceId: id } })),
      ...Array.from({ length: 5 }, () => aDevice(owner, project.id, { deviceClass })),
    ]);
    expect((await owner.client.call(readDeviceClass, at(deviceClass))).deviceCount).toBe(18);
  });

  it('counts exactly who is connected, while they come, go and are deleted at once', async () => {
    const { id: deviceClass } = await aClass(owner, project.id);
    const made = await Promise.all(
      Array.from({ length: 12 }, () => aDevice(owner, project.id, { deviceClass })),
    );
    const { db } = world.platform;
    const presence = (seenAt: string, from: number, to: number) =>
      db.run(sql`
        update device_presence set seen_at = ${seenAt}, last_message_at = now()
        where device_id = any(${made.slice(from, to).map(({ id }) => id)})`);
    await Promise.all([presence('infinity', 0, 5), presence('infinity', 5, 9)]);
    await Promise.all([
      presence('infinity', 0, 2),
      presence('2026-01-01', 3, 5),
      ...made.slice(7, 10).map(({ id }) => owner.client.call(deleteDevice, { params: { deviceId: id } })),
    ]);
    // Connected are 0, 1, 2, 5 and 6; gone are 7, 8 and 9.
    const counted = await owner.client.call(readDeviceClass, at(deviceClass));
    expect(counted).toMatchObject({ deviceCount: 9, connectedCount: 5 });
  });

  it('is deleted only while it has no devices', async () => {
    const { id } = await aClass(owner, project.id);
    const device = await aDevice(owner, project.id, { deviceClass: id });
    await failing(remove(id), 'DEPENDENCY_RESTRICTION');
    await owner.client.call(deleteDevice, { params: { deviceId: device.id } });
    await failing(owner.client.call(deleteDeviceClass, { ...at(id), ifMatch: 4 }), 'STALE');
    await remove(id);
    await failing(owner.client.call(readDeviceClass, at(id)), 'DEVICE_CLASS_NOT_FOUND');
    await failing(remove(id), 'DEVICE_CLASS_NOT_FOUND');
  });

  it('that gets a device in the instant of its deletion keeps it, or there is none', async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = await aClass(owner, project.id);
      const { reasons } = await atOnce<unknown>(2, number =>
        number === i % 2 ? remove(id) : aDevice(owner, project.id, { deviceClass: id }),
      );
      expect(reasons).toHaveLength(1);
      const [rows] = await world.platform.db.many(sql`
        select (select count(*)::int from devices where project_id = ${project.id} and device_class = ${id}) as devices,
          (select count(*)::int from device_classes where project_id = ${project.id} and id = ${id}) as classes`);
      const isKept = reasons[0] === 'DEPENDENCY_RESTRICTION';
      expect(rows).toEqual(isKept ? { devices: 1, classes: 1 } : { devices: 0, classes: 0 });
      if (!isKept) expect(reasons).toEqual(['DEVICE_CLASS_NOT_FOUND']);
    }
  });

  it('is one of five hundred at most, however many are added at once', async () => {
    const full = await world.aProject(owner);
    await world.platform.db.run(sql`
      insert into device_classes (project_id, id, created_at)
      select ${full.id}, 'c' || n, now() from generate_series(1, 497) n`);
    const { answers, reasons } = await atOnce(6, () => aClass(owner, full.id));
    expect(answers).toHaveLength(3);
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_CLASSES']));
  });

  it('is read, but not changed, by a viewer, and unknown to everybody else', async () => {
    const { id } = await aClass(owner, project.id);
    const [viewer, stranger] = [await world.aDeveloper(), await world.aDeveloper()];
    const params = { projectId: project.id };
    await owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readDeviceClass, at(id));
    await failing(viewer.client.call(createDeviceClass, { params, body: { id: 'x' } }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(editDeviceClass, { ...at(id), body: {} }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteDeviceClass, at(id)), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readDeviceClass, at(id)), 'DEVICE_CLASS_NOT_FOUND');
    await failing(
      stranger.client.call(readDeviceClass, { params: { classId: id } }),
      'DEVICE_CLASS_NOT_FOUND',
    );
  });
});
