import { expect, it } from 'vitest';
import { readReportedProperties, sampledDevicesMax } from '#contract/deviceState.ts';
import { sql } from '#server/infra/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const read = (classId: string) =>
  at.owner.client.call(readReportedProperties, { params: { classId }, query: { projectId: at.projectId } });

const report = (deviceId: string, reported: object) =>
  at.world.platform.db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    values (${at.projectId}, ${deviceId}, ${JSON.stringify(reported)}, now())`);

it('a class shows which properties its devices report, on how many devices and with which types', async () => {
  const { id: deviceClass } = await at.deviceClass();
  expect(await read(deviceClass)).toEqual({ devices: 0, sampled: false, properties: [] });
  const devices = await Promise.all([1, 2, 3, 4].map(() => at.device({ deviceClass })));
  const other = await at.device();
  const said = [
    { celsius: 21, count: 1, mode: 'heat' },
    { celsius: 21.5, count: 2, mode: null },
    { celsius: 19, count: 3 },
  ];
  for (const [n, state] of said.entries()) await report(devices[n]?.id ?? '', state);
  await report(other.id, { celsius: 'not of this class' });
  expect(await read(deviceClass)).toEqual({
    devices: 3,
    sampled: false,
    properties: [
      { name: 'celsius', devices: 3, types: ['number'] },
      { name: 'count', devices: 3, types: ['integer'] },
      { name: 'mode', devices: 2, types: ['null', 'string'] },
    ],
  });
  const stranger = await at.world.aDeveloper();
  await failing(
    stranger.client.call(readReportedProperties, { params: { classId: deviceClass }, query: {} }),
    'DEVICE_CLASS_NOT_FOUND',
  );
});

it('of a large class, only the devices connected last are examined', async () => {
  const { id: classId } = await at.deviceClass();
  const ids = await manyDevices(at.world, at.projectId, classId, sampledDevicesMax + 200);
  const { db } = at.world.platform;
  await db.run(sql`
    update device_presence p set seen_at = now() - n * interval '1 minute'
    from unnest(${ids}::text[]) with ordinality as made (id, n) where p.device_id = made.id`);
  await db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    select ${at.projectId}, id, jsonb_build_object('n', 1,
      case when n > ${sampledDevicesMax}::int then 'old' else 'new' end, true), now()
    from unnest(${ids}::text[]) with ordinality as made (id, n)`);
  expect(await read(classId)).toEqual({
    devices: sampledDevicesMax,
    sampled: true,
    properties: [
      { name: 'n', devices: sampledDevicesMax, types: ['integer'] },
      { name: 'new', devices: sampledDevicesMax, types: ['boolean'] },
    ],
  });
});
