import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptHomeTransfer,
  listMyHomeInvitations,
  listMyHomes,
  offerMyHome,
  readMyHome,
} from '#contract/appApi/home.ts';
import { changeUserPassword, endMySession, signOut } from '#contract/appApi/session.ts';
import { offerHomeTransfer } from '#contract/home.ts';
import { endUserSession, endUserSessions } from '#contract/user.ts';
import { anEndUser, type CalledApp, clientWith, type EndUser, signedIn } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { accept, aFamily, aUser, invite, tokenTo } from '#test/families.ts';
import { inRole, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await sharingWorld(at, { hasRoles: true });
});

/** Another session of a user, such as that of a thief who has learned the password. */
async function another(user: EndUser): Promise<EndUser> {
  const tokens = await signedIn(at.world, app, user.id);
  return { ...user, tokens, client: clientWith(at.world, app, tokens.accessToken) };
}

type Stolen = { owner: EndUser; thief: EndUser };
const endAll = ({ owner }: Stolen) => at.owner.client.call(endUserSessions, { params: { userId: owner.id } });
const endings: [string, (of: Stolen) => Promise<unknown>][] = [
  ['a developer ends all sessions', endAll],
  [
    'a developer ends the session',
    ({ owner, thief }) =>
      at.owner.client.call(endUserSession, {
        params: { userId: owner.id, sessionId: thief.tokens.sessionId },
      }),
  ],
  [
    'the user ends the session from another phone',
    ({ owner, thief }) => owner.client.call(endMySession, { params: { sessionId: thief.tokens.sessionId } }),
  ],
  [
    'the thief has signed out and a developer then ends all sessions',
    async stolen => {
      await stolen.thief.client.call(signOut, {});
      await endAll(stolen);
    },
  ],
];

describe.each(endings)('once %s', (_, end) => {
  it('an invitation to a home that was sent in the session is over', async () => {
    const { owner, params } = await aFamily(at, app);
    const [thief, friend] = [await another(owner), await aUser(at, app)];
    const { id: invitationId } = await invite(thief, params, { email: friend.email, role: 'admin' });
    const token = await tokenTo(at, friend.email);
    await end({ owner, thief });
    await failing(accept(friend, { invitationId }), 'INVITATION_NOT_FOUND');
    await failing(accept(friend, { token }), 'INVALID_LINK');
    expect(await friend.client.call(listMyHomes)).toEqual([]);
    const again = await another(owner);
    expect(await again.client.call(listMyHomeInvitations, { params })).toEqual([]);
  });

  it('the offer of a home that was made in the session is over', async () => {
    const { owner, params, members } = await aFamily(at, app, 'member');
    const [thief, [friend]] = [await another(owner), members as [EndUser]];
    await thief.client.call(offerMyHome, { params, body: { userId: friend.id } });
    await end({ owner, thief });
    await failing(friend.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
    const home = await friend.client.call(readMyHome, { params });
    expect([home.owner.id, home.transfer]).toEqual([owner.id, undefined]);
  });
});

it('a new password ends what was given in other sessions, and leaves what was given in this one', async () => {
  const password = `${unique('secret')} horse`;
  const newPassword = `${password} battery`;
  const owner = await anEndUser(at.world, app, { password });
  const { params } = await aFamily(at, app);
  await inRole(at.world, params.homeId, owner, 'admin');
  const [mine, stolen] = [await aUser(at, app), await aUser(at, app)];
  await invite(owner, params, { email: mine.email, role: 'member' });
  await invite(await another(owner), params, { email: stolen.email, role: 'member' });
  const body = { email: owner.email, oldPassword: password, newPassword };
  await owner.client.call(changeUserPassword, { body });
  const left = await owner.client.call(listMyHomeInvitations, { params });
  expect(left.map(({ email }) => email)).toEqual([mine.email]);
});

it('what a user gave stays when they sign out, and when another of their sessions is ended', async () => {
  const { owner, params } = await aFamily(at, app);
  const [friend, heir, other] = [await aUser(at, app), await aUser(at, app), await another(owner)];
  await inRole(at.world, params.homeId, heir, 'member');
  await invite(owner, params, { email: friend.email, role: 'member' });
  await owner.client.call(offerMyHome, { params, body: { userId: heir.id } });
  await owner.client.call(endMySession, { params: { sessionId: other.tokens.sessionId } });
  await owner.client.call(signOut, {});
  await accept(friend, { token: await tokenTo(at, friend.email) });
  expect((await friend.client.call(listMyHomes)).map(({ id }) => id)).toEqual([params.homeId]);
  expect((await heir.client.call(acceptHomeTransfer, { params })).owner.id).toBe(heir.id);
});

it('the offer that a developer made for an owner does not end with the sessions of the owner', async () => {
  const { owner, params, members } = await aFamily(at, app, 'member');
  const [heir] = members as [EndUser];
  await at.owner.client.call(offerHomeTransfer, { params, body: { userId: heir.id } });
  await at.owner.client.call(endUserSessions, { params: { userId: owner.id } });
  expect((await heir.client.call(acceptHomeTransfer, { params })).owner.id).toBe(heir.id);
});
