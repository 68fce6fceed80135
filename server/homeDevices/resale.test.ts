import { expect, it } from 'vitest';
import { resellMyHome } from '#contract/appApi/home.ts';
import { sql } from '#server/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { homeOf } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome, inRole } from '#test/homes.ts';
import { untilWaiting } from '#test/untilWaiting.ts';

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
