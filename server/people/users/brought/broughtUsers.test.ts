import { beforeAll, expect, it } from 'vitest';
import { readMe } from '#contract/appApi/me.ts';
import { createClient } from '#contract/client.ts';
import { bringUser, mintUserSession } from '#contract/service.ts';
import { editUser } from '#contract/user.ts';
import { sql } from '#server/infra/db/sql.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aKey, type BackEnd } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let backEnd: BackEnd;
beforeAll(async () => {
  backEnd = await aKey(at.world, at.owner, { projectId: at.projectId, canHandleBYOU: true });
});

const of = (externalId: string) => ({ params: { projectId: at.projectId, externalId } });
const bring = (externalId: string, body: { email?: string | null; name?: string } = {}, ifMatch?: number) =>
  backEnd.client.call(bringUser, { ...of(externalId), body, ...(ifMatch !== undefined && { ifMatch }) });
const anAddress = () => `${unique('user')}@example.com`;

it('a back end creates a user by its own id, and changes the fields it sends', async () => {
  const [id, email] = [unique('customer'), anAddress()];
  const made = await bring(id, { email: email.toUpperCase(), name: 'Kari' });
  expect(made).toMatchObject({ externalId: id, email, name: 'Kari', state: 'active', verified: true });
  const renamed = await bring(id, { name: 'Kari Nordmann' }, made.revision);
  expect(renamed).toMatchObject({ id: made.id, email, name: 'Kari Nordmann' });
  await failing(bring(id, { name: 'Late' }, made.revision), 'STALE');
  expect(await bring(id, { email: null })).not.toHaveProperty('email');
});

it('a user without an e-mail address is active', async () => {
  expect(await bring(unique('customer'))).toMatchObject({ state: 'active' });
});

it('ten concurrent calls create one user', async () => {
  const id = unique('customer');
  const { answers } = await atOnce(10, () => bring(id, { name: 'Once' }));
  expect(new Set(answers.map(one => one.id)).size).toBe(1);
  expect(answers).toHaveLength(10);
});

it('the address of another user is refused, at creation and later', async () => {
  const email = anAddress();
  await bring(unique('customer'), { email });
  await failing(bring(unique('customer'), { email }), 'EMAIL_TAKEN');
  const id = unique('customer');
  await bring(id);
  await failing(bring(id, { email }), 'EMAIL_TAKEN');
});

it('an account with an unverified address is taken over, and its password is removed', async () => {
  const { db, newId } = at.world.platform;
  const [squatter, email, id] = [newId('usr'), anAddress(), unique('customer')];
  const { projectId } = at;
  await insertUser(db, { id: squatter, projectId, email, passwordHash: 'x', now: at.world.now() });
  expect(await bring(id, { email, name: 'Owner' })).toMatchObject({
    id: squatter,
    externalId: id,
    name: 'Owner',
  });
  const row = await db.one(sql`select password_hash from users where id = ${squatter}`);
  expect(row).toEqual({ password_hash: null });
});

it('an unverified address can be given to a user that the back end created', async () => {
  const { db, newId } = at.world.platform;
  const [email, id] = [anAddress(), unique('customer')];
  await bring(id);
  await insertUser(db, { id: newId('usr'), projectId: at.projectId, email, now: at.world.now() });
  expect(await bring(id, { email })).toMatchObject({ externalId: id, email });
});

it('a session that a back end starts belongs to the app it names', async () => {
  const app = await anApp(at.owner, at.projectId);
  const id = unique('customer');
  const user = await bring(id, { name: 'Kari' });
  const mint = () =>
    backEnd.client.call(mintUserSession, { ...of(id), body: { appId: app.id }, idempotencyKey: id });
  const tokens = await mint();
  expect(await mint()).toEqual(tokens);
  const readBy = (appId: string) => {
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const baseUrl = `${at.world.url}/app/v1/${appId}@${at.projectId}`;
    const send: typeof fetch = (url, init) =>
      fetch(url, { ...init, headers: { ...init?.headers, ...headers } });
    return createClient({ baseUrl, fetch: send }).call(readMe);
  };
  expect(await readBy(app.id)).toMatchObject({ id: user.id, name: 'Kari' });
  await failing(readBy((await anApp(at.owner, at.projectId)).id), 'NO_USER_SESSION');
  const text = JSON.stringify(
    await at.world.platform.db.many(sql`select detail from log_entries where project_id = ${at.projectId}`),
  );
  expect(text).not.toContain(tokens.accessToken);
  expect(text).not.toContain(tokens.refreshToken);
});

it('no session is started for a suspended or unknown user, or for an app that does not exist', async () => {
  const app = await anApp(at.owner, at.projectId);
  const id = unique('customer');
  const mint = (externalId: string, appId = app.id) =>
    backEnd.client.call(mintUserSession, { ...of(externalId), body: { appId } });
  const user = await bring(id);
  await failing(mint(unique('nobody')), 'USER_NOT_FOUND');
  await failing(mint(id, 'nothing'), 'APP_NOT_FOUND');
  await at.owner.client.call(editUser, { params: { userId: user.id }, body: { suspended: true } });
  await failing(mint(id), 'USER_SUSPENDED');
});
