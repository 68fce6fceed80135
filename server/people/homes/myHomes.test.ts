import { beforeAll, describe, expect, it } from 'vitest';
import { createMyHome, editMyHome, listMyHomes, readMyHome } from '#contract/appApi/home.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});
const aUser = (name = 'Uma') => anEndUser(at.world, app, { name });
const aHomeOf = ({ client }: EndUser, name = 'Lighthouse Road 7') =>
  client.call(createMyHome, { body: { name, timeZone: 'europe/oslo' } });

it('the user who creates a home owns it, and nobody else sees it', async () => {
  const [uma, eve] = await Promise.all([aUser('Uma'), aUser('Eve')]);
  const home = await aHomeOf(uma);
  expect(home).toMatchObject({
    name: 'Lighthouse Road 7',
    timeZone: 'Europe/Oslo',
    active: true,
    role: 'owner',
    rights: ['view', 'control', 'configure', 'invite', 'own'],
    owner: { id: uma.id, name: 'Uma' },
    memberCount: 1,
    deviceCount: 0,
  });
  const params = { homeId: home.id };
  expect(await uma.client.call(readMyHome, { params })).toEqual(home);
  expect((await uma.client.call(listMyHomes)).map(({ id }) => id)).toEqual([home.id]);
  expect(await eve.client.call(listMyHomes)).toHaveLength(0);
  await failing(eve.client.call(readMyHome, { params }), 'HOME_NOT_FOUND');
  await failing(eve.client.call(editMyHome, { params, body: { name: 'Mine' } }), 'HOME_NOT_FOUND');
});

it('an edit changes only the fields it contains, and the audit log lists exactly these', async () => {
  const uma = await aUser();
  const { id } = await aHomeOf(uma);
  await failing(
    uma.client.call(editMyHome, { params: { homeId: id }, body: { timeZone: 'Mars/Base' } }),
    'TIME_ZONE_UNKNOWN',
  );
  const body = { name: 'Dike 1' };
  const edited = await uma.client.call(editMyHome, { params: { homeId: id }, body, ifMatch: 1 });
  expect(edited).toMatchObject({ name: 'Dike 1', timeZone: 'Europe/Oslo', revision: 2 });
  await failing(uma.client.call(editMyHome, { params: { homeId: id }, body, ifMatch: 1 }), 'STALE');
  const entry = await at.world.platform.db.one<{ detail: unknown }>(sql`
    select detail from log_entries where project_id = ${at.projectId} and action = 'editMyHome'
    and text like '%Dike 1%' limit 1`);
  expect(entry?.detail).toMatchObject({ before: { name: 'Lighthouse Road 7' }, after: { name: 'Dike 1' } });
});

describe('an option of the project', () => {
  const set = (body: object) =>
    at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });

  it('restrictHomeCreation lets only the developer create homes', async () => {
    const uma = await aUser();
    await set({ restrictHomeCreation: true });
    await failing(aHomeOf(uma), 'HOME_CREATION_RESTRICTED');
    await set({ restrictHomeCreation: false });
    await aHomeOf(uma);
  });

  it('deactivateNewHomes makes new homes wait for activation', async () => {
    const uma = await aUser();
    await set({ deactivateNewHomes: true });
    expect(await aHomeOf(uma)).toMatchObject({ active: false });
    await set({ deactivateNewHomes: false });
  });
});

it('a user has at most a hundred homes, also with concurrent calls', async () => {
  const uma = await aUser();
  await at.world.platform.db.run(sql`
    with made as (
      insert into homes (project_id, name, time_zone, active, created_at)
      select ${at.projectId}, 'Home', 'UTC', true, now() from generate_series(1, 98) returning *)
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    select project_id, id, ${uma.id}, 'owner', now() from made`);
  const { answers, reasons } = await atOnce(10, () => aHomeOf(uma));
  expect([answers.length, new Set(reasons)]).toEqual([2, new Set(['TOO_MANY_HOMES'])]);
});
