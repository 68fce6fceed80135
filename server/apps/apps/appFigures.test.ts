import { expect, it } from 'vitest';
import { type AppFigures, readAppFigures } from '#contract/app.ts';
import { readMe } from '#contract/appApi/me.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { anApp } from '#test/apps.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { toHalfPast } from '#test/world.ts';

const at = aProjectWorld();

const figures = ({ id, projectId }: { id: string; projectId: string }): Promise<AppFigures> =>
  at.owner.client.call(readAppFigures, { params: { appId: id }, query: { projectId } });

/** A session of a new user, created without calling the app API. */
async function aSession(app: { id: string; projectId: string }) {
  const { platform } = at.world;
  const { projectId } = app;
  const id = platform.newId('usr');
  await insertUser(platform.db, { id, projectId, now: at.world.now() });
  return startUserSession(platform.db, platform, {
    app: { ...app, userSessionsTtlS: 7200 },
    user: { id },
    deviceName: '',
    address: '',
    now: at.world.now(),
  });
}

it('only the sessions, users and calls of the app itself are counted', async () => {
  toHalfPast(at.world);
  const projectId = (await at.world.aProject(at.owner)).id;
  const [app, other] = [await anApp(at.owner, projectId), await anApp(at.owner, projectId)];
  const base = `${at.world.url}/app/v1/${app.id}@${projectId}`;
  const [first, second] = [await aSession(app), await aSession(app)];
  await aSession(other);
  const call = (token: string) =>
    fetch(`${base}${readMe.path}`, { headers: { authorization: `Bearer ${token}` } });
  for (const { accessToken } of [first, first, second]) expect((await call(accessToken)).status).toBe(200);
  expect((await call('nonsense')).status).toBe(401);

  const now = await figures(app);
  expect(now).toMatchObject({
    activeSessions: 2,
    openSessions: 2,
    users: 2,
    openStreams: 0,
    ended: { signedOut: 0, expired: 0, reused: 0, ended: 0 },
    calls: { count: 4 },
    configReads: { count: 0 },
    events: [],
  });
  expect(now.calls.medianMs).toBeGreaterThan(0);
  expect(now.usersByDay).toHaveLength(30);
  expect(now.usersByDay.at(-1)?.users).toBe(2);
  expect(now.usersByHour).toHaveLength(24);
  expect(now.usersByHour.at(-1)?.users).toBe(2);
  const unused = await figures(other);
  expect(unused).toMatchObject({ openSessions: 1, calls: { count: 0 } });
  expect(unused.calls).not.toHaveProperty('medianMs');

  at.world.pass(20 * minuteMs);
  expect(await figures(app)).toMatchObject({ activeSessions: 0, openSessions: 2 });
  at.world.pass(2 * hourMs);
  expect(await figures(app)).toMatchObject({ openSessions: 0, users: 0, ended: { expired: 2 } });
});

it('figures of other apps and users are kept if one is deleted while they are stored', async () => {
  const { platform } = at.world;
  const projectId = (await at.world.aProject(at.owner)).id;
  const [app, other] = [await anApp(at.owner, projectId), await anApp(at.owner, projectId)];
  const [kept, gone, ofOther] = [await aSession(app), await aSession(app), await aSession(other)];
  const call = ({ id }: { id: string }, { accessToken }: { accessToken: string }) =>
    fetch(`${at.world.url}/app/v1/${id}@${projectId}${readMe.path}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
  /** The figures of the app, read while an app or user that was counted is being deleted. */
  const during = async (deletion: Sql) => {
    const { reading } = await platform.db.tx(async tx => {
      await tx.run(deletion);
      const reading = figures(app);
      await untilWaiting(at.world, 1);
      return { reading };
    });
    return (await reading).calls.count;
  };
  await Promise.all([call(app, kept), call(other, ofOther)]);
  expect(await during(sql`delete from apps where project_id = ${projectId} and id = ${other.id}`)).toBe(1);
  await Promise.all([call(app, kept), call(app, gone)]);
  expect(await during(sql`delete from users where project_id = ${projectId} and id = ${gone.user.id}`)).toBe(
    3,
  );
});
