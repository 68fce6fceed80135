import { beforeAll, expect, it } from 'vitest';
import { changeAlert, readAlert } from '#contract/alert.ts';
import { changeMyAlert, listMyAlerts, listMyHomeAlerts, readMyAlert } from '#contract/appApi/alert.ts';
import { deleteUser } from '#contract/user.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anAlert } from '#test/alerts.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { aDeviceIn, homeOf, joins, listenBySse } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { sharingWorld } from '#test/homes.ts';

const at = aGatewayWorld();
let app: CalledApp;
let owner: EndUser;
let homeId: string;
beforeAll(async () => {
  app = await sharingWorld(at, { hasRoles: true });
  at.projectId = app.projectId;
  owner = await anEndUser(at.world, app);
  homeId = await homeOf(at, owner);
});

const raise = (device: { id: string }, given: Parameters<typeof anAlert>[2] = {}) =>
  anAlert(at.world, { projectId: at.projectId, deviceId: device.id }, given);
const change = (by: EndUser, device: { id: string }, alertId: string, state: 'acknowledged' | 'resolved') =>
  by.client.call(changeMyAlert, { params: { deviceId: device.id, alertId }, body: { state, note: 'Toast' } });
const seenBy = async (by: EndUser, query = {}) =>
  (await by.client.call(listMyHomeAlerts, { params: { homeId }, query })).items.map(({ id }) => id);

it('members of a home see its alerts and change them, without the names of developers', async () => {
  const device = await aDeviceIn(at, homeId);
  const { id } = await raise(device);
  expect(await seenBy(owner)).toEqual([id]);
  const changed = await change(owner, device, id, 'acknowledged');
  const by = { type: 'user', name: expect.any(String) };
  expect(changed).toMatchObject({ state: 'acknowledged', change: { by, note: 'Toast' } });
  const params = { alertId: id };
  expect(await at.owner.client.call(readAlert, { params })).toMatchObject({
    changes: [{ what: 'acknowledged', by: { type: 'user', id: owner.id } }],
  });
  await at.owner.client.call(changeAlert, { params, body: { state: 'resolved', note: 'Internal' } });
  const mine = await owner.client.call(readMyAlert, { params: { deviceId: device.id, alertId: id } });
  expect(mine.change).toEqual({ at: expect.any(String), by: { type: 'developer' }, note: '' });
  expect(await seenBy(owner, { state: 'open' })).toEqual([]);
});

it('a guest with access sees the alerts of listed devices, and changes none they may not control', async () => {
  const [listed, other] = [await aDeviceIn(at, homeId), await aDeviceIn(at, homeId)];
  const [{ id }, hidden] = [await raise(listed), await raise(other)];
  const guest = await anEndUser(at.world, app);
  await joins(at, homeId, guest, { role: 'guest', devices: [listed] });
  expect(await seenBy(guest)).toEqual([id]);
  await failing(change(guest, other, hidden.id, 'resolved'), 'DEVICE_NOT_FOUND');
  await failing(change(guest, listed, id, 'resolved'), 'HOME_RIGHT_MISSING');
  // An alert is found only under its own device.
  await failing(change(owner, listed, hidden.id, 'resolved'), 'ALERT_NOT_FOUND');
  await at.world.platform.db.run(
    sql`update home_members set guest_until = ${at.world.now()} where user_id = ${guest.id}`,
  );
  expect(await seenBy(guest)).toEqual([]);
});

it('alerts raised before a device came to the home are hidden from it', async () => {
  const device = await at.device();
  const old = await raise(device, { key: 'bench' });
  at.world.pass(1000);
  await at.world.platform.db.run(sql`
    update devices set home_id = ${homeId}, owned_since = ${at.world.now()}, claim_code = null where id = ${device.id}`);
  const params = { deviceId: device.id, alertId: old.id };
  await failing(owner.client.call(readMyAlert, { params }), 'ALERT_NOT_FOUND');
  await failing(change(owner, device, old.id, 'resolved'), 'ALERT_NOT_FOUND');
  expect((await owner.client.call(listMyAlerts, { params })).items).toEqual([]);
});

it('streams report raised, changed and resolved alerts, but not repeated reports', async () => {
  const device = await aDeviceIn(at, homeId);
  await using stream = await listenBySse(owner);
  const { id } = await raise(device);
  await raise(device);
  await raise(device, { severity: 'critical', text: 'Fire' });
  await change(owner, device, id, 'resolved');
  await stream.hear(({ data }) => data.what === 'resolved' && data.deviceId === device.id);
  const told = stream.told.filter(({ type, deviceId }) => type === 'alert' && deviceId === device.id);
  expect(told.map(({ what }) => what)).toEqual(['raised', 'changed', 'resolved']);
  expect(told.at(-1)).toMatchObject({
    alertId: id,
    severity: 'critical',
    text: 'Fire',
    state: 'resolved',
    homeId,
  });
});

it('after a user is erased, no alert contains their name or what they wrote', async () => {
  const member = await anEndUser(at.world, app);
  await joins(at, homeId, member, { role: 'member' });
  const device = await aDeviceIn(at, homeId);
  const { id } = await raise(device);
  await change(member, device, id, 'resolved');
  await at.owner.client.call(deleteUser, { params: { userId: member.id } });
  const { change: last, changes } = await at.owner.client.call(readAlert, { params: { alertId: id } });
  const erased = { by: { type: 'user', id: member.id }, note: '' };
  expect(last).toEqual({ ...erased, at: expect.any(String) });
  expect(changes).toEqual([{ ...erased, what: 'resolved', at: expect.any(String) }]);
});
