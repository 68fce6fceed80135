import { describe, expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import {
  createDeviceClass,
  deleteDeviceClass,
  editDeviceClass,
  listDeviceClasses,
  readDeviceClass,
} from '#contract/deviceClass.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle, someChannels } from '#test/firmware.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();

const named = (classId: string, projectId = at.projectId) => ({ params: { classId }, query: { projectId } });
const remove = (classId: string) => at.owner.client.call(deleteDeviceClass, named(classId));

describe('a device class', () => {
  it('is read as it was answered, and listed without its schemas', async () => {
    const stateSchema = { type: 'object', properties: { on: { type: 'boolean' } } };
    const made = await at.deviceClass({
      description: 'Lamps',
      stateSchema,
      eventSchemas: { door: true },
    });
    expect(made).toMatchObject({
      projectId: at.projectId,
      description: 'Lamps',
      stateSchema,
      eventSchemas: { door: true },
      deviceCount: 0,
      connectedCount: 0,
      quarantineCount: 0,
      revision: 1,
    });
    expect('commandSchemas' in made).toBe(false);
    expect(await at.owner.client.call(readDeviceClass, named(made.id))).toEqual(made);
    const { items } = await at.owner.client.call(listDeviceClasses, {
      params: { projectId: at.projectId },
      query: { search: made.id },
    });
    expect(items).toHaveLength(1);
    expect(made).toMatchObject(items[0] ?? {});
    for (const of of ['stateSchema', 'eventSchemas', 'rebootMinutes'])
      expect(items[0]).not.toHaveProperty(of);
  });

  it('that loses a schema is in the audit log with that schema', async () => {
    const stateSchema = { type: 'object', properties: { on: { type: 'boolean' } } };
    const { id } = await at.deviceClass({ stateSchema, eventSchemas: { door: true } });
    const input = { params: { classId: id }, query: { projectId: at.projectId } };
    await at.owner.client.call(editDeviceClass, { ...input, body: { stateSchema: null } });
    const entry = (await auditOf(at.world, at.projectId)).at(-1);
    expect(entry?.text).toBe(`Device class ${id} updated`);
    const detail = entry?.detail as { before: object; after: object };
    expect([detail.before, detail.after]).toEqual([{ stateSchema }, {}]);
  });

  it('limits how long an update may take, within bounds, and the audit log says who changed that', async () => {
    const made = await at.deviceClass();
    const usual = { offerMinutes: 60, downloadMinutes: 1440, installMinutes: 30, rebootMinutes: 15 };
    expect(made).toMatchObject(usual);
    const edit = (body: object) => at.owner.client.call(editDeviceClass, { ...named(made.id), body });
    expect(await edit({ rebootMinutes: 240 })).toMatchObject({ ...usual, rebootMinutes: 240 });
    for (const body of [{ rebootMinutes: 0 }, { offerMinutes: 100_000 }, { installMinutes: 1.5 }])
      await failing(edit(body), 'INVALID_FIELDS');
    const entries = (await auditOf(at.world, at.projectId)).filter(({ text }) => text.includes(made.id));
    expect(entries.at(-1)?.action).toBe('editDeviceClass');
    const { before, after } = (entries.at(-1)?.detail ?? {}) as { before?: object; after?: object };
    // Without the counts of the answer, which the caller did not change.
    expect([before, after]).toEqual([{ rebootMinutes: 15 }, { rebootMinutes: 240 }]);
  });

  it('has an id that is unique in the project, even if concurrent calls ask for it', async () => {
    const id = unique('thermostat');
    const { answers, reasons } = await atOnce(8, () => at.deviceClass({ id }));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['ID_TAKEN']));
    const { fields } = await failing(at.deviceClass({ id }), 'ID_TAKEN');
    expect(fields).toEqual({ id: 'ID_TAKEN' });
    const other = await at.world.aProject(at.owner);
    await aClass(at.owner, other.id, { id });
  });

  it('is found without its project, unless two projects of the caller have a class with its id', async () => {
    const { id } = await at.deviceClass();
    const stranger = await at.world.aDeveloper();
    await aClass(stranger, (await at.world.aProject(stranger)).id, { id });
    const classId = id;
    const found = await at.owner.client.call(readDeviceClass, { params: { classId } });
    expect(found.projectId).toBe(at.projectId);
    const other = await at.world.aProject(at.owner);
    await aClass(at.owner, other.id, { id });
    await failing(at.owner.client.call(readDeviceClass, { params: { classId } }), 'AMBIGUOUS_ID');
    const chosen = await at.owner.client.call(readDeviceClass, named(id, other.id));
    expect(chosen.projectId).toBe(other.id);
  });

  it('changes only the fields that are sent, and a null schema is removed', async () => {
    const made = await at.deviceClass({
      description: 'a',
      stateSchema: true,
      commandSchemas: {},
    });
    const edit = { ...named(made.id), body: { stateSchema: null }, ifMatch: 1 };
    const { stateSchema: _, ...rest } = made;
    expect(await at.owner.client.call(editDeviceClass, edit)).toEqual({ ...rest, revision: 2 });
    await failing(at.owner.client.call(editDeviceClass, edit), 'STALE');
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
  ])('with an unusable schema is refused with the place: %#', async (schemas, place) => {
    const refused = await failing(at.deviceClass(schemas), 'INVALID_SCHEMA');
    expect(refused.context).toEqual({ at: place, text: expect.any(String) });
    const { id } = await at.deviceClass();
    await failing(
      at.owner.client.call(editDeviceClass, {
        params: { classId: id },
        query: { projectId: at.projectId },
        body: schemas,
      }),
      'INVALID_SCHEMA',
    );
  });

  it('counts its devices exactly while they are created and deleted concurrently', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const made = await Promise.all(Array.from({ length: 20 }, () => at.device({ deviceClass })));
    await Promise.all([
      ...made.slice(0, 7).map(({ id }) => at.owner.client.call(deleteDevice, { params: { deviceId: id } })),
      ...Array.from({ length: 5 }, () => at.device({ deviceClass })),
    ]);
    expect((await at.owner.client.call(readDeviceClass, named(deviceClass))).deviceCount).toBe(18);
  });

  it('counts connected devices exactly while they connect, disconnect and are deleted concurrently', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const made = await Promise.all(Array.from({ length: 12 }, () => at.device({ deviceClass })));
    const { db } = at.world.platform;
    const presence = (seenAt: string, from: number, to: number) =>
      db.run(sql`
        update device_presence set seen_at = ${seenAt}, last_message_at = now()
        where device_id = any(${made.slice(from, to).map(({ id }) => id)})`);
    await Promise.all([presence('infinity', 0, 5), presence('infinity', 5, 9)]);
    await Promise.all([
      presence('infinity', 0, 2),
      presence('2026-01-01', 3, 5),
      ...made.slice(7, 10).map(({ id }) => at.owner.client.call(deleteDevice, { params: { deviceId: id } })),
    ]);
    // 0, 1, 2, 5 and 6 are connected; 7, 8 and 9 were deleted.
    const counted = await at.owner.client.call(readDeviceClass, named(deviceClass));
    expect(counted).toMatchObject({ deviceCount: 9, connectedCount: 5 });
  });

  it('is deleted only while it has no devices', async () => {
    const { id } = await at.deviceClass();
    const device = await at.device({ deviceClass: id });
    const refused = await failing(remove(id), 'DEPENDENCY_RESTRICTION');
    const { tag, name } = device;
    const none = { channelCount: 0, channels: [], bundleCount: 0, bundles: [] };
    expect(refused.context).toEqual({ deviceCount: 1, devices: [{ id: device.id, tag, name }], ...none });
    await at.owner.client.call(deleteDevice, { params: { deviceId: device.id } });
    await failing(at.owner.client.call(deleteDeviceClass, { ...named(id), ifMatch: 4 }), 'STALE');
    await remove(id);
    await failing(at.owner.client.call(readDeviceClass, named(id)), 'DEVICE_CLASS_NOT_FOUND');
    await failing(remove(id), 'DEVICE_CLASS_NOT_FOUND');
  });

  it('is not deleted while it has channels or bundles, and the error names them', async () => {
    const { id } = await at.deviceClass();
    const place = { projectId: at.projectId, deviceClass: id };
    const bundle = await aBundle(at.world, place);
    await someChannels(at.world, place, 'beta', 'stable');
    const { context } = await failing(remove(id), 'DEPENDENCY_RESTRICTION');
    const name = expect.any(String);
    expect(context).toEqual({
      deviceCount: 0,
      devices: [],
      channelCount: 2,
      channels: ['beta', 'stable'].map(one => ({ id: name, name: one })),
      bundleCount: 1,
      bundles: [bundle],
    });
  });

  it('and a device created during its deletion are both kept, or neither is', async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = await at.deviceClass();
      const { reasons } = await atOnce<unknown>(2, number =>
        number === i % 2 ? remove(id) : at.device({ deviceClass: id }),
      );
      expect(reasons).toHaveLength(1);
      const [rows] = await at.world.platform.db.many(sql`
        select (select count(*)::int from devices where project_id = ${at.projectId} and device_class = ${id}) as devices,
          (select count(*)::int from device_classes where project_id = ${at.projectId} and id = ${id}) as classes`);
      const isKept = reasons[0] === 'DEPENDENCY_RESTRICTION';
      expect(rows).toEqual(isKept ? { devices: 1, classes: 1 } : { devices: 0, classes: 0 });
      if (!isKept) expect(reasons).toEqual(['DEVICE_CLASS_NOT_FOUND']);
    }
  });

  it('is one of at most five hundred, even if many are added concurrently', async () => {
    const full = await at.world.aProject(at.owner);
    await at.world.platform.db.run(sql`
      insert into device_classes (project_id, id, created_at)
      select ${full.id}, 'c' || n, now() from generate_series(1, 497) n`);
    const { answers, reasons } = await atOnce(6, () => aClass(at.owner, full.id));
    expect(answers).toHaveLength(3);
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_CLASSES']));
  });

  it('is readable, but not editable, for a viewer, and unknown to everyone else', async () => {
    const { id } = await at.deviceClass();
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readDeviceClass, named(id));
    await failing(viewer.client.call(createDeviceClass, { params, body: { id: 'x' } }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(editDeviceClass, { ...named(id), body: {} }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteDeviceClass, named(id)), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readDeviceClass, named(id)), 'DEVICE_CLASS_NOT_FOUND');
    await failing(
      stranger.client.call(readDeviceClass, { params: { classId: id } }),
      'DEVICE_CLASS_NOT_FOUND',
    );
  });
});
