import { beforeAll, describe, expect, it } from 'vitest';
import { readMe } from '#contract/appApi/me.ts';
import { endMySession, listMySessions, signOut } from '#contract/appApi/session.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, type CalledApp, clientWith, signedIn } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();
let app: CalledApp;
let another: CalledApp;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
  another = await anApp(at.owner, at.projectId);
});

describe('an access token', () => {
  it('is valid only for its own app and project', async () => {
    const { tokens, client } = await anEndUser(at.world, app);
    expect((await client.call(readMe)).verified).toBe(true);
    const elsewhere = clientWith(at.world, another, tokens.accessToken);
    await failing(elsewhere.call(readMe), 'NO_USER_SESSION');
    const refresh = clientWith(at.world, app, tokens.refreshToken);
    await failing(refresh.call(readMe), 'NO_USER_SESSION');
  });

  it('works for 15 minutes', async () => {
    const { client } = await anEndUser(at.world, app);
    await client.call(readMe);
    at.world.pass(14 * 60_000);
    await client.call(readMe);
    at.world.pass(61_000);
    await failing(client.call(readMe), 'NO_USER_SESSION');
  });

  it('ends at once with its session, although it was cached', async () => {
    const user = await anEndUser(at.world, app);
    const other = await signedIn(at.world, app, user.id);
    const there = clientWith(at.world, app, other.accessToken);
    await there.call(readMe);
    await user.client.call(endMySession, { params: { sessionId: other.sessionId } });
    await failing(there.call(readMe), 'NO_USER_SESSION');
    await user.client.call(readMe);
    await user.client.call(signOut);
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
  });

  it('is trusted for at most five seconds if no notice announces its end', async () => {
    const user = await anEndUser(at.world, app);
    await user.client.call(readMe);
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${user.id}`);
    at.world.pass(5_001);
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
  });
});

describe('the open sessions of a user', () => {
  it('are listed for all apps, with the session of the call marked', async () => {
    const user = await anEndUser(at.world, app);
    at.world.pass(1000);
    const { sessionId } = await signedIn(at.world, another, user.id);
    const listed = await user.client.call(listMySessions);
    expect(listed.map(({ id, appId, current }) => [id, appId, current])).toEqual([
      [sessionId, another.id, false],
      [user.tokens.sessionId, app.id, true],
    ]);
  });

  it('do not include those of other users', async () => {
    const [user, stranger] = [await anEndUser(at.world, app), await anEndUser(at.world, app)];
    const { sessionId } = stranger.tokens;
    await failing(user.client.call(endMySession, { params: { sessionId } }), 'SESSION_NOT_FOUND');
    await stranger.client.call(readMe);
  });

  it('are limited to a hundred: the one unused for the longest time is ended', async () => {
    const user = await anEndUser(at.world, app);
    await at.world.platform.db.run(sql`
      insert into user_sessions select project_id, id || n, user_id, app_id, device_name, address, created_at, proved_at,
        last_seen_at + n * interval '1 second', expires_at
      from user_sessions, generate_series(1, 99) as n where id = ${user.tokens.sessionId}`);
    await signedIn(at.world, app, user.id);
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
  });
});
