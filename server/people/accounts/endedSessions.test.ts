import { beforeAll, describe, expect, it } from 'vitest';
import { changeMyEmail, exportMe, readMe, readMyExport } from '#contract/appApi/me.ts';
import { endMySession, signOut, startVerification, verify } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { editUser, endUserSessions } from '#contract/user.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp, clientWith, type EndUser, signedIn } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { appRedirect, begin, codeFor, finish } from '#test/methodSignIns.ts';
import { signIns } from '#test/signIns.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const { at, aMethod } = signIns();
let app: CalledApp;
let phone: Client;
let methodId: string;
beforeAll(async () => {
  app = await anApp(at.owner, at.project.id, { redirects: [appRedirect] });
  phone = appClient(at.world, app);
  methodId = await aMethod(at.provider);
});

/** A new session of the user, as on another phone. */
const again = async ({ id }: EndUser) =>
  clientWith(at.world, app, (await signedIn(at.world, app, id)).accessToken);

const suspend = ({ id: userId }: EndUser, suspended: boolean) =>
  at.owner.client.call(editUser, { params: { userId }, body: { suspended } });

const endings: [string, (user: EndUser) => Promise<unknown>][] = [
  [
    'a developer signs the user out',
    user => at.owner.client.call(endUserSessions, { params: { userId: user.id } }),
  ],
  [
    'a developer suspends the user, and resumes',
    async user => {
      await suspend(user, true);
      await suspend(user, false);
    },
  ],
  [
    'the user ends the session from another phone',
    async user => (await again(user)).call(endMySession, { params: { sessionId: user.tokens.sessionId } }),
  ],
  ['the user signs out', user => user.client.call(signOut, {})],
];

describe.each(endings)('once %s', (_, end) => {
  it('a change of the address that was begun in the session is over', async () => {
    const user = await anEndUser(at.world, app);
    const next = `${unique('thief')}@example.com`;
    await user.client.call(changeMyEmail, { body: { email: next } });
    const [mail] = await at.world.mailsTo(next);
    await end(user);
    expect((await fetch(`${at.world.url}/u/${app.projectId}/verify?token=${mail?.token}`)).status).toBe(400);
    await failing(phone.call(verify, { body: { token: mail?.token ?? '' } }), 'INVALID_LINK');
    const owner = await again(user);
    const me = await owner.call(readMe);
    expect([me.email, me.newEmail]).toEqual([user.email, undefined]);
    // No further e-mail goes to the address either.
    await owner.call(startVerification, { body: { email: next } });
    expect(await at.world.mailsTo(next)).toHaveLength(1);
  });

  it('a method that was being added in the session is not added', async () => {
    const user = await anEndUser(at.world, app);
    const begun = await begin(user.client, methodId, { link: true });
    const code = await codeFor(begun, unique('thief'));
    await end(user);
    await failing(finish(phone, methodId, { ...begun, code }), 'CODE_WRONG');
    expect((await (await again(user)).call(readMe)).methods).toEqual([]);
  });
});

it('the link of an export ends with the session that got it', async () => {
  const user = await anEndUser(at.world, app);
  const { id: exportId } = await user.client.call(exportMe);
  const read = async (client: Client) => {
    const { url } = await client.call(readMyExport, { params: { exportId } });
    return url;
  };
  const url = await until(() => read(user.client));
  expect((await fetch(url)).status).toBe(200);
  const other = await again(user);
  await user.client.call(signOut, {});
  expect((await fetch(url)).status).toBe(403);
  expect((await fetch((await read(other)) ?? '')).status).toBe(200);
});

it('a change of the address still takes effect while its session lasts, whichever other session ends', async () => {
  const user = await anEndUser(at.world, app);
  const next = `${unique('next')}@example.com`;
  const other = await again(user);
  await user.client.call(changeMyEmail, { body: { email: next } });
  await other.call(signOut, {});
  const [mail] = await at.world.mailsTo(next);
  await phone.call(verify, { body: { token: mail?.token ?? '' } });
  expect((await user.client.call(readMe)).email).toBe(next);
});
