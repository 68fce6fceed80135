import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '#contract/client.ts';
import { deleteUser } from '#contract/user.ts';
import { editUserAuthMethod } from '#contract/userAuthMethod.ts';
import { anApp } from '#test/apps.ts';
import { appClient } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { appRedirect, begin, codeFor, finish } from '#test/methodSignIns.ts';
import { anOidcProvider, type OidcProvider } from '#test/oidcProvider.ts';
import { signIns } from '#test/signIns.ts';
import { unique } from '#test/world.ts';

const { at, aMethod, method } = signIns();
let phone: Client;
let moved: OidcProvider;
beforeAll(async () => {
  phone = appClient(at.world, await anApp(at.owner, at.project.id, { redirects: [appRedirect] }));
  moved = await anOidcProvider();
  moved.register(`${at.world.url}/api/userAuth/callback`);
});
afterAll(() => moved.end());

const edit = (methodId: string, config: Partial<ReturnType<typeof method>['config']>) =>
  at.owner.client.call(editUserAuthMethod, {
    params: { projectId: at.project.id, methodId },
    body: { config },
  });
const toMoved = () => method({ issuer: moved.issuer }).config;

async function signedInWith(methodId: string, login: string) {
  const begun = await begin(phone, methodId);
  return finish(phone, methodId, { ...begun, code: await codeFor(begun, login) });
}

it('a method keeps its issuer while users sign in with it, so that nobody loses their account', async () => {
  const methodId = await aMethod(at.provider);
  const login = unique('ada');
  const { user } = await signedInWith(methodId, login);
  const refused = await failing(edit(methodId, toMoved()), 'ISSUER_IN_USE');
  expect(refused.fields).toEqual({ 'config.issuer': 'ISSUER_IN_USE' });
  // The same issuer may be sent again, with other values.
  await edit(methodId, method().config);
  expect((await signedInWith(methodId, login)).user.id).toBe(user.id);
  await at.owner.client.call(deleteUser, { params: { userId: user.id } });
  expect((await edit(methodId, toMoved())).config.issuer).toBe(moved.issuer);
});

it('a sign-in that was begun with another issuer than the method has now links nobody', async () => {
  const methodId = await aMethod(at.provider);
  const begun = await begin(phone, methodId);
  const code = await codeFor(begun, unique('late'));
  await edit(methodId, toMoved());
  await failing(finish(phone, methodId, { ...begun, code }), 'CODE_WRONG');
});
