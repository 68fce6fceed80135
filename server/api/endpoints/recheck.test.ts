import { describe, expect, it } from 'vitest';
import { logOut } from '#contract/account.ts';
import { claimDevice, provisionDevice } from '#contract/appApi/device.ts';
import { signOut } from '#contract/appApi/session.ts';
import { createDeviceClass, listDeviceClasses } from '#contract/deviceClass.ts';
import { editKey } from '#contract/key.ts';
import type { Reason } from '#contract/problem.ts';
import { addMember, editMember, removeMember } from '#contract/team.ts';
import { createUser, editUser } from '#contract/user.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aHome, inRole } from '#test/homes.ts';
import { aKey } from '#test/keys.ts';
import { meanwhile } from '#test/meanwhile.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type SignedIn, unique } from '#test/world.ts';

const at = aProjectWorld();
const db = () => at.world.platform.db;

describe('a call of a developer is rejected after its preparation', () => {
  const params = () => ({ projectId: at.projectId });
  const ofMember = (who: SignedIn) => ({ ...params(), developerId: who.developer.id });

  it.each<[string, Reason, (who: SignedIn) => Promise<unknown>]>([
    [
      'given a role that may not do it',
      'ROLE_TOO_LOW',
      who => at.owner.client.call(editMember, { params: ofMember(who), body: { role: 'viewer' } }),
    ],
    [
      'removed from the team',
      'NOT_A_MEMBER',
      who => at.owner.client.call(removeMember, { params: ofMember(who) }),
    ],
    ['signed out', 'NO_LOGIN', who => who.client.call(logOut)],
    [
      'suspended',
      'ACCOUNT_SUSPENDED',
      who => db().run(sql`update developers set suspended = true where id = ${who.developer.id}`),
    ],
    [
      'in need of two-factor authentication',
      'TWO_FACTOR_REQUIRED',
      () => db().run(sql`update organizations set require_two_factor = true`),
    ],
  ])('if the developer was %s', async (_what, reason, change) => {
    const who = await at.world.aDeveloper();
    await at.owner.client.call(addMember, { params: params(), body: { email: who.email } });
    const id = unique('class');
    const call = (idempotencyKey: string) =>
      who.client.call(createDeviceClass, { params: params(), body: { id }, idempotencyKey });
    await failing(meanwhile(at.world, { caller: who.developer.id, call, change: () => change(who) }), reason);
    await db().run(sql`update organizations set require_two_factor = false`);
    const classes = await at.owner.client.call(listDeviceClasses, { params: params() });
    expect(classes.items.map(one => one.id)).not.toContain(id);
  });
});

describe('a call of an end user is rejected after its preparation', () => {
  const claimed = (user: EndUser, homeId: string, claimCode = '') => ({
    caller: `${at.projectId} ${user.id}`,
    call: (idempotencyKey: string) =>
      user.client.call(claimDevice, { body: { claimCode, homeId }, idempotencyKey }),
  });

  async function aResident(): Promise<{ user: EndUser; homeId: string; app: CalledApp }> {
    const app = await anApp(at.owner, at.projectId);
    const user = await anEndUser(at.world, app);
    const homeId = await aHome(at.world, at.projectId);
    await inRole(at.world, homeId, user, 'admin');
    return { user, homeId, app };
  }

  it.each<[string, Reason, (user: EndUser) => Promise<unknown>]>([
    [
      'removed from the home',
      'HOME_NOT_FOUND',
      user => db().run(sql`delete from home_members where user_id = ${user.id}`),
    ],
    ['signed out', 'NO_USER_SESSION', user => user.client.call(signOut, {})],
    [
      'suspended',
      'NO_USER_SESSION',
      user => at.owner.client.call(editUser, { params: { userId: user.id }, body: { suspended: true } }),
    ],
  ])('if the user was %s', async (_what, reason, leave) => {
    const { user, homeId } = await aResident();
    const { id, claimCode } = await at.device();
    const change = () => leave(user);
    await failing(meanwhile(at.world, { ...claimed(user, homeId, claimCode), change }), reason);
    expect(await db().one(sql`select home_id as home from devices where id = ${id}`)).toEqual({ home: null });
  });

  it('if the user may no longer add devices to the home', async () => {
    const { user, homeId } = await aResident();
    await db().run(sql`update projects set on_demand_provisioning = true where id = ${at.projectId}`);
    const { id: deviceClass } = await at.deviceClass();
    const refused = meanwhile(at.world, {
      caller: `${at.projectId} ${user.id}`,
      call: idempotencyKey =>
        user.client.call(provisionDevice, { params: { homeId }, body: { deviceClass }, idempotencyKey }),
      change: () => db().run(sql`delete from home_members where user_id = ${user.id}`),
    });
    await failing(refused, 'HOME_NOT_FOUND');
  });
});

it.each([
  ['suspended', 'KEY_REFUSED', { suspended: true }],
  ['without the capability', 'MISSING_CAPABILITY', { canAdmin: false }],
] as const)('a call by a key that is now %s is rejected', async (_what, reason, body) => {
  const { projectId } = at;
  const { key, client } = await aKey(at.world, at.owner, { projectId, canAdmin: true });
  const email = `${unique('made')}@example.com`;
  const refused = meanwhile(at.world, {
    caller: key.id,
    call: idempotencyKey => client.call(createUser, { body: { projectId, email }, idempotencyKey }),
    change: () => at.owner.client.call(editKey, { params: { keyId: key.id }, body }),
  });
  await failing(refused, reason);
  expect(await db().one(sql`select 1 from users where email = ${email}`)).toBeUndefined();
});
