import { expect, it } from 'vitest';
import { listCommands, sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { aHome, inHome } from '#test/homes.ts';
import { until } from '#test/until.ts';
import { releaseDevices } from './releaseDevices.ts';

const at = aGatewayWorld();

const release = (...ids: string[]) =>
  at.world.platform.db.tx(db =>
    releaseDevices(db, at.world.platform, { projectId: at.projectId, deviceIds: ids, now: at.world.now() }),
  );
const left = ({ id }: { id: string }) =>
  at.world.platform.db.one<{ count: number }>(sql`
    select (select count(*) from device_events where device_id = ${id})::int
      + (select count(*) from alerts where device_id = ${id})::int
      + (select count(*) from device_commands where device_id = ${id})::int
      + (select count(*) from quarantine where device_id = ${id})::int as count`);

it('a release deletes the messages between a home and its device, and the device starts anew', async () => {
  const device = await at.device();
  const home = await aHome(at.world, at.projectId);
  await inHome(at.world, home, [device.id]);
  const params = { deviceId: device.id };
  await using thing = await at.connect(device);
  await thing.say('state', { door: 'open' });
  await thing.say('events/opened', { by: 'Ida', _alert: { severity: 'critical', text: 'Opened at night' } });
  await at.owner.client.call(writeDesired, { params, body: { desired: { door: 'shut' } } });
  await at.owner.client.call(sendCommand, { params, body: { name: 'shut' } });
  const [released] = await release(device.id);
  await thing.ended();
  expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('RELEASED');
  expect(await at.read(device)).toMatchObject({ claimed: false, claimCode: released?.claimCode });
  expect(released?.claimCode).not.toBe(device.claimCode);
  expect(await at.stateOf(device)).toMatchObject({ reported: {}, desired: {}, desiredVersion: 2 });
  expect((await at.owner.client.call(listCommands, { params })).items).toEqual([]);
  await until(async () => ((await left(device))?.count === 0 ? true : undefined));
  await at.untilLogged(device, 'Released from its home');
});

it('messages from before the device joined its home stay, as they are nobody’s secret', async () => {
  const device = await at.device();
  await using thing = await at.connect(device);
  await thing.say('events/tested', { line: 3 });
  at.world.pass(1000);
  await inHome(at.world, await aHome(at.world, at.projectId), [device.id]);
  await thing.say('events/opened', {});
  await release(device.id);
  await until(async () => ((await left(device))?.count === 1 ? true : undefined));
  expect(await at.eventsOf(device)).toMatchObject([{ name: 'tested' }]);
});

it('a name given by the home is deleted at the release; a name given by a developer stays', async () => {
  const [renamed, named] = [await at.device({ name: 'Lamp' }), await at.device({ name: 'Lamp' })];
  const home = await aHome(at.world, at.projectId);
  await inHome(at.world, home, [renamed.id, named.id]);
  await at.world.platform.db.run(sql`
    update devices set name = 'Bedside', name_before = name where id = any(${[renamed.id, named.id]})`);
  await at.owner.client.call(editDevice, { params: { deviceId: named.id }, body: { name: 'Prototype' } });
  await release(renamed.id, named.id);
  expect([(await at.read(renamed)).name, (await at.read(named)).name]).toEqual(['Lamp', 'Prototype']);
});

it('a device without a home keeps its claim code, and a guest’s right to a released device is gone', async () => {
  const [free, device] = [await at.device(), await at.device()];
  const home = await aHome(at.world, at.projectId);
  await inHome(at.world, home, [device.id]);
  const { db } = at.world.platform;
  await db.run(sql`
    insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
    select project_id, home_id, user_id, ${device.id}, true from home_members where home_id = ${home}`);
  expect((await release(free.id, device.id)).map(({ deviceId }) => deviceId)).toEqual([device.id]);
  await inHome(at.world, home, [device.id]);
  expect((await at.read(free)).claimCode).toBe(free.claimCode);
  expect(await db.many(sql`select 1 from home_guest_devices where device_id = ${device.id}`)).toEqual([]);
});
