import { expect, it, vi } from 'vitest';
import { resellMyHome } from '#contract/appApi/home.ts';
import { readMyExport } from '#contract/appApi/me.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failAbandoned } from '#server/people/exports/exportStore.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { homeOf } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome, inRole } from '#test/homes.ts';
import { until } from '#test/until.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { unzip } from '#test/unzip.ts';

const at = aGatewayWorld();

it('only the owner prepares a home for resale, with a recent proof of identity, and devices get new codes', async () => {
  const app = await anApp(at.owner, at.projectId);
  const [owner, member] = await Promise.all([anEndUser(at.world, app), anEndUser(at.world, app)]);
  const homeId = await homeOf(at, owner);
  await inRole(at.world, homeId, member, 'admin');
  const devices = [await at.device(), await at.device()];
  await inHome(
    at.world,
    homeId,
    devices.map(({ id }) => id),
  );
  const params = { homeId };
  await failing(member.client.call(resellMyHome, { params }), 'HOME_RIGHT_MISSING');
  const { exportId, devices: released } = await owner.client.call(resellMyHome, { params });
  expect(exportId).toMatch(/^exp_/);
  expect(released.map(({ deviceId }) => deviceId).toSorted()).toEqual(devices.map(({ id }) => id).toSorted());
  for (const { deviceId, claimCode, apiKey } of released) {
    expect(apiKey).toBeUndefined();
    expect(await at.read({ id: deviceId })).toMatchObject({ claimed: false, claimCode });
  }
});

it('a former owner cannot prepare a home for resale while the home is being handed over', async () => {
  const app = await anApp(at.owner, at.projectId);
  const [owner, next] = await Promise.all([anEndUser(at.world, app), anEndUser(at.world, app)]);
  const homeId = await homeOf(at, owner);
  await inRole(at.world, homeId, next, 'admin');
  const { id: deviceId } = await at.device();
  await inHome(at.world, homeId, [deviceId]);
  let selling: Promise<unknown> | undefined;
  await at.world.platform.db.tx(async tx => {
    await tx.run(sql`select 1 from homes where id = ${homeId} for update`);
    selling = owner.client.call(resellMyHome, { params: { homeId } });
    selling.catch(() => undefined);
    await untilWaiting(at.world, 1);
    for (const [id, role] of [
      [owner.id, 'admin'],
      [next.id, 'owner'],
    ])
      await tx.run(sql`update home_members set role = ${role} where home_id = ${homeId} and user_id = ${id}`);
  });
  await failing(Promise.resolve(selling), 'HOME_RIGHT_MISSING');
  expect((await at.read({ id: deviceId })).claimed).toBe(true);
});

it('a session without a recent proof of identity cannot prepare a home for resale', async () => {
  const app = await anApp(at.owner, at.projectId);
  const owner = await anEndUser(at.world, app);
  const homeId = await homeOf(at, owner);
  at.world.pass(11 * 60_000);
  await failing(owner.client.call(resellMyHome, { params: { homeId } }), 'PROOF_REQUIRED');
});

it('the export of each resale has the devices that left with it, also of one that joined while the first was written', async () => {
  const app = await anApp(at.owner, at.projectId);
  const owner = await anEndUser(at.world, app);
  const homeId = await homeOf(at, owner);
  const params = { homeId };
  const [first, second] = [await at.device({ name: 'Lamp' }), await at.device({ name: 'Blind' })];
  const { promise: bothAsked, resolve: goOn } = Promise.withResolvers<void>();
  const { storage } = at.world.platform;
  const write = storage.write.bind(storage);
  const blocked = vi.spyOn(storage, 'write').mockImplementation(async (...file) => {
    await bothAsked;
    return write(...file);
  });
  const sold: string[] = [];
  try {
    for (const { id } of [first, second]) {
      await inHome(at.world, homeId, [id]);
      sold.push((await owner.client.call(resellMyHome, { params })).exportId);
    }
  } finally {
    goOn();
  }
  const devicesIn = async (exportId: string) => {
    const { url = '' } = await until(async () => {
      const found = await owner.client.call(readMyExport, { params: { exportId } });
      return found.state === 'running' ? undefined : found;
    });
    return unzip(Buffer.from(await (await fetch(url)).arrayBuffer()))['homes.json'];
  };
  const [one = '', other = ''] = sold;
  expect(await devicesIn(one)).toMatchObject([{ id: homeId, devices: [{ id: first.id, name: 'Lamp' }] }]);
  expect(await devicesIn(other)).toMatchObject([{ id: homeId, devices: [{ id: second.id, name: 'Blind' }] }]);
  blocked.mockRestore();
});

it('an export whose process died during its last attempt fails after a day, and another can be started', async () => {
  const app = await anApp(at.owner, at.projectId);
  const owner = await anEndUser(at.world, app);
  const { db, clock } = at.world.platform;
  const exportId = 'exp_died';
  await db.run(sql`
    insert into user_exports (project_id, id, user_id, state, devices, created_at)
    values (${at.projectId}, ${exportId}, ${owner.id}, 'running', '[]', ${new Date(clock().getTime() - dayMs - 1)})`);
  const state = async () => (await owner.client.call(readMyExport, { params: { exportId } })).state;
  await failAbandoned(at.world.platform);
  expect(await state()).toBe('failed');
});
