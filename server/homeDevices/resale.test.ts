import { expect, it } from 'vitest';
import { resellMyHome } from '#contract/appApi/home.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { homeOf } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome, inRole } from '#test/homes.ts';

const at = aGatewayWorld();

it('the owner alone, who proved it lately, prepares a home for resale: each device gets a new code', async () => {
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

it('a session that was not proved lately cannot sell a home', async () => {
  const app = await anApp(at.owner, at.projectId);
  const owner = await anEndUser(at.world, app);
  const homeId = await homeOf(at, owner);
  at.world.pass(11 * 60_000);
  await failing(owner.client.call(resellMyHome, { params: { homeId } }), 'PROOF_REQUIRED');
});
