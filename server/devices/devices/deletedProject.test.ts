import { expect, it } from 'vitest';
import { createDevice, listDevices, readDevice, rotateDeviceKey } from '#contract/device.ts';
import { readDeviceClass, writeKvPair } from '#contract/deviceClass.ts';
import { writeDesired, writeDeviceKvPair } from '#contract/deviceState.ts';
import { deleteProject, readProjectDeletion } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { until } from '#test/until.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('deleting a project deletes its classes and devices, and none of them is reachable meanwhile', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { id: classId } = await aClass(owner, projectId);
  const query = { projectId };
  const pair = { params: { classId, pairKey: 'k' }, query, body: { value: 1 } };
  await owner.client.call(writeKvPair, pair);
  const devices = await Promise.all(
    Array.from({ length: 12 }, () => aDevice(owner, projectId, { deviceClass: classId })),
  );
  const deviceId = devices[0]?.id ?? '';
  await owner.client.call(writeDesired, { params: { deviceId }, body: { desired: { on: true } } });
  await owner.client.call(writeDeviceKvPair, { params: { deviceId, pairKey: 'k' }, body: { value: 1 } });
  await world.platform.db.run(
    sql`update device_presence set seen_at = 'infinity' where device_id = ${deviceId}`,
  );

  const { deletionId } = await owner.client.call(deleteProject, { params: { projectId } });
  await failing(owner.client.call(readDevice, { params: { deviceId } }), 'DEVICE_NOT_FOUND');
  const rotation = owner.client.call(rotateDeviceKey, { params: { deviceId }, body: { graceS: 0 } });
  await failing(rotation, 'DEVICE_NOT_FOUND');
  await failing(owner.client.call(listDevices, { query }), 'PROJECT_NOT_FOUND');
  await failing(owner.client.call(readDeviceClass, { params: { classId }, query }), 'DEVICE_CLASS_NOT_FOUND');
  await failing(owner.client.call(readDeviceClass, { params: { classId } }), 'DEVICE_CLASS_NOT_FOUND');
  const body = { projectId, deviceClass: classId, tag: 'hall-7' };
  await failing(owner.client.call(createDevice, { body }), 'PROJECT_NOT_FOUND');

  await until(async () => {
    const deletion = await owner.client.call(readProjectDeletion, { params: { deletionId } });
    return deletion.state === 'done' ? deletion : undefined;
  });
  const { db } = world.platform;
  const left = await db.many(sql`
    select 'devices' as kept from devices where project_id = ${projectId}
    union all select 'presence' from device_presence where project_id = ${projectId}
    union all select 'states' from device_states where project_id = ${projectId}
    union all select 'kv' from device_kv where project_id = ${projectId}
    union all select 'classes' from device_classes where project_id = ${projectId}
    union all select 'class kv' from device_class_kv where project_id = ${projectId}
    union all select 'counts' from device_counts where project_id = ${projectId}`);
  expect(left).toEqual([]);
});

it('devices created while their project is being deleted are either rejected or deleted with it', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { id: deviceClass } = await aClass(owner, projectId);
  let deletionId = '';
  const { reasons } = await atOnce<unknown>(16, async number => {
    if (number !== 7) return aDevice(owner, projectId, { deviceClass });
    ({ deletionId } = await owner.client.call(deleteProject, { params: { projectId } }));
  });
  expect(reasons.filter(reason => reason !== 'PROJECT_NOT_FOUND')).toEqual([]);
  await until(async () => {
    const deletion = await owner.client.call(readProjectDeletion, { params: { deletionId } });
    return deletion.state === 'done' ? deletion : undefined;
  });
  const left = await world.platform.db.many(sql`select id from devices where project_id = ${projectId}`);
  expect(left).toEqual([]);
});
