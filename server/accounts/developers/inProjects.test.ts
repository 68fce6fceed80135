import { expect, it } from 'vitest';
import { activateAuth2F, logIn, logInWithCode, startSudo, verifyAuth2F } from '#contract/account.ts';
import { readLogEntries } from '#contract/log.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { failing } from '#test/failing.ts';
import { codeOf } from '#test/secondFactor.ts';
import { aSudoLink } from '#test/sudoLink.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

/** What the log of a project says about sign-ins, oldest first. */
async function signInsOf(owner: SignedIn, projectId: string): Promise<string[]> {
  const now = world.now().getTime();
  const query = { begin: new Date(now - dayMs).toISOString(), end: new Date(now + dayMs).toISOString() };
  const entries = await owner.client.call(readLogEntries, { params: { projectId }, query });
  return entries
    .filter(({ action }) => ['logIn', 'logInWithCode', 'startSudo'].includes(action))
    .map(({ text, actor }) => (actor.bySudoer ? `${text} *` : text))
    .reverse();
}

it('a project logs sign-ins and refused sign-ins of its team', async () => {
  const ada = await world.aDeveloper();
  const stranger = await world.aDeveloper();
  const { id } = await world.aProject(ada);
  const elsewhere = await world.aProject(stranger);
  const body = { email: ada.email, password: ada.password, orgId: 'default' };
  await world.visitor().client.call(logIn, { body });
  await failing(
    world.visitor().client.call(logIn, { body: { ...body, password: 'a guess' } }),
    'LOGIN_FAILED',
  );
  expect(await signInsOf(ada, id)).toEqual([
    `Signed in as ${ada.email}`,
    `Refused (LOGIN_FAILED): Sign-in as ${ada.email}`,
  ]);
  expect(await signInsOf(stranger, elsewhere.id)).toEqual([]);
});

it('a repeated wrong password does not fill the log', async () => {
  const ada = await world.aDeveloper();
  const { id } = await world.aProject(ada);
  const guess = () => {
    const body = { email: ada.email, password: 'a guess', orgId: 'default' };
    return failing(world.visitor().client.call(logIn, { body }), 'LOGIN_FAILED');
  };
  await guess();
  await guess();
  expect(await signInsOf(ada, id)).toHaveLength(1);
  world.pass(2 * minuteMs);
  await guess();
  expect(await signInsOf(ada, id)).toHaveLength(2);
});

it('the first of two sign-in steps is not logged as a sign-in', async () => {
  const ada = await world.aDeveloper();
  const { id } = await world.aProject(ada);
  const { auth2FSecret } = await ada.client.call(activateAuth2F, { body: { password: ada.password } });
  await ada.client.call(verifyAuth2F, { body: { code: codeOf(world, auth2FSecret) } });
  const visitor = world.visitor();
  const body = { email: ada.email, password: ada.password, orgId: 'default' };
  const first = await visitor.client.call(logIn, { body });
  expect(await signInsOf(ada, id)).toEqual([]);
  world.pass(minuteMs);
  const token = 'auth2FToken' in first ? first.auth2FToken : '';
  await visitor.client.call(logInWithCode, { body: { token, code: codeOf(world, auth2FSecret) } });
  expect(await signInsOf(ada, id)).toEqual([`Signed in with two-factor authentication as ${ada.email}`]);
});

it('a support session is logged in the project as a support session', async () => {
  const ada = await world.aDeveloper();
  const { id } = await world.aProject(ada);
  await world.visitor().client.call(startSudo, { body: await aSudoLink(world, ada) });
  expect(await signInsOf(ada, id)).toEqual([expect.stringMatching(/ \*$/)]);
});
