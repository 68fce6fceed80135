import { expect, it } from 'vitest';
import {
  createProject,
  deleteProject,
  editProject,
  listProjects,
  readProject,
  readProjectDeletion,
} from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { until } from '#test/until.ts';
import { theWorld, unique } from '#test/world.ts';
import { deleteProjectJob } from './deletion.ts';

const world = theWorld({ SAMPLE_PROJECT: 'on' });

it('a new account has its own sample project', async () => {
  const ada = await world.aDeveloper();
  const { items, total } = await ada.client.call(listProjects, {});
  expect([total, items[0]?.isSample, items[0]?.role]).toEqual([1, true, 'owner']);
});

it('the limit includes the sample project, and holds for twenty concurrent calls', async () => {
  const ada = await world.aDeveloper();
  await world.platform.db.run(sql`update developers set max_projects = 3 where id = ${ada.developer.id}`);
  await world.aProject(ada);
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => world.aProject(ada)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const error = await failing(
    ada.client.call(createProject, { body: { name: 'x' } }),
    'PROJECT_LIMIT_REACHED',
  );
  expect(error.message).toBe(
    'Sorry, you cannot create more projects because you have reached the limit for your account.',
  );
});

it('every setting is returned as it was set, and nothing else changes', async () => {
  const ada = await world.aDeveloper();
  const before = await world.aProject(ada);
  const edit = {
    name: 'Nordlys',
    description: 'Two\nlines',
    publicAlias: unique('alias'),
    userAuthMessage: 'Hello',
    userPasswordPolicy: {
      minLength: 12,
      mustHaveUppercase: true,
      mustHaveLowercase: false,
      mustHaveNumber: true,
      mustHaveNonAlphanum: false,
      maxAge: 90,
    },
    userAccountMode: 'external' as const,
    onDemandProvisioning: true,
    deactivateNewHomes: true,
    restrictUserReg: true,
    restrictHomeCreation: true,
    allowPublicOTAU: true,
    enableDeviceLogRetrieval: true,
    alertRetentionPeriod: 30,
    deviceMessageRate: 100,
    restrictPasswordLogin: true,
  };
  const after = await ada.client.call(editProject, { params: { projectId: before.id }, body: edit });
  expect(after).toEqual({ ...before, ...edit, revision: before.revision + 1 });
  expect(before.alertRetentionPeriod).toBe(7);
  const cleared = { publicAlias: null, userPasswordPolicy: null };
  const back = await ada.client.call(editProject, { params: { projectId: before.id }, body: cleared });
  expect('publicAlias' in back || 'userPasswordPolicy' in back).toBe(false);
});

it('a public alias belongs to one project, regardless of case and with concurrent calls', async () => {
  const ada = await world.aDeveloper();
  const publicAlias = unique('Alias');
  const projects = await Promise.all(Array.from({ length: 6 }, () => world.aProject(ada)));
  const attempts = await Promise.allSettled(
    projects.map(({ id }, i) =>
      ada.client.call(editProject, {
        params: { projectId: id },
        body: { publicAlias: i % 2 ? publicAlias : publicAlias.toLowerCase() },
      }),
    ),
  );
  const lost = attempts.filter(({ status }) => status === 'rejected');
  expect(lost).toHaveLength(5);
  expect(lost.every(one => one.status === 'rejected' && one.reason.reason === 'PUBLIC_ALIAS_TAKEN')).toBe(
    true,
  );
});

it.each(['forgetDeviceKeys', 'enablePermissionBasedAccessControl'] as const)(
  '%s cannot be reverted, also with concurrent edits',
  async option => {
    const ada = await world.aDeveloper();
    const { id: projectId } = await world.aProject(ada);
    const set = (on: boolean) =>
      ada.client.call(editProject, { params: { projectId }, body: { [option]: on } });
    await Promise.allSettled([set(true), set(false), set(true), set(false)]);
    await set(true);
    await failing(set(false), 'IRREVERSIBLE');
    const project = await ada.client.call(readProject, { params: { projectId } });
    expect(project[option]).toBe(true);
  },
);

it('the database refuses to revert an irreversible setting', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  await ada.client.call(editProject, { params: { projectId }, body: { forgetDeviceKeys: true } });
  const attempt = world.platform.db.run(
    sql`update projects set forget_device_keys = false where id = ${projectId}`,
  );
  await expect(attempt).rejects.toMatchObject({ constraint: 'projects_irreversible' });
});

it('of two concurrent edits of the same settings, the second is refused with the current values', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId, revision } = await world.aProject(ada);
  const edit = (name: string) =>
    ada.client.call(editProject, { params: { projectId }, body: { name }, ifMatch: revision });
  const attempts = await Promise.allSettled([edit('first'), edit('second')]);
  const lost = attempts.find(one => one.status === 'rejected');
  const kept = attempts.find(one => one.status === 'fulfilled')?.value.name;
  expect(lost?.reason).toMatchObject({ reason: 'STALE', context: { current: { name: kept } } });
});

it('a deleted project is unreachable as soon as the call is answered, and its rows are deleted', async () => {
  const ada = await world.aDeveloper();
  const project = await world.aProject(ada, 'Doomed');
  const params = { projectId: project.id };
  await ada.client.call(editProject, { params, body: { publicAlias: unique('doomed') } });
  const { deletionId } = await ada.client.call(deleteProject, { params });
  await failing(ada.client.call(readProject, { params }), 'PROJECT_NOT_FOUND');
  await failing(ada.client.call(editProject, { params, body: { name: 'x' } }), 'PROJECT_NOT_FOUND');
  expect((await ada.client.call(listProjects, {})).items.map(({ id }) => id)).not.toContain(project.id);
  const deletion = await until(async () => {
    const now = await ada.client.call(readProjectDeletion, { params: { deletionId } });
    return now.state === 'done' ? now : undefined;
  });
  expect(deletion).toMatchObject({ projectName: 'Doomed' });
  expect(deletion.rowsRemoved).toBeGreaterThan(1);
  const left = await world.platform.db.one(sql`select 1 from log_entries where project_id = ${project.id}`);
  expect(left).toBeUndefined();
  const bob = await world.aDeveloper();
  await failing(bob.client.call(readProjectDeletion, { params: { deletionId } }), 'DELETION_NOT_FOUND');
});

it('a deletion interrupted by a stop of the server deletes nothing more, and another worker continues', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const { db, clock } = world.platform;
  const deletionId = unique('del');
  await db.run(sql`update projects set deleted_at = now() where id = ${projectId}`);
  await db.run(sql`
    insert into project_deletions (id, project_id, project_name, developer_id, created_at)
    values (${deletionId}, ${projectId}, 'Doomed', ${ada.developer.id}, now())`);
  const asked: string[] = [];
  const one: typeof db.one = query => {
    asked.push(query.text);
    return db.one(query);
  };
  const job = deleteProjectJob({ db: { ...db, one }, clock }, ['project_members']);
  await job({ deletionId }, { isLast: false, signal: AbortSignal.abort() });
  expect(asked.filter(text => text.includes('delete from'))).toEqual([]);
  await until(async () => {
    const now = await ada.client.call(readProjectDeletion, { params: { deletionId } });
    return now.state === 'done' || undefined;
  });
});

it('the organization’s log, which outlives a project, shows who deleted it', async () => {
  const ada = await world.aDeveloper();
  const project = await world.aProject(ada, unique('Gone'));
  await ada.client.call(deleteProject, { params: { projectId: project.id } });
  const entry = await world.platform.db.one<{ text: string }>(sql`
    select text from log_entries where project_id = 'default' and action = 'deleteProject' and subject = ${ada.developer.id}`);
  expect(entry?.text).toBe(`Project ${project.name} deleted`);
});

it('a list of another developer’s projects is refused', async () => {
  const [ada, bob] = await Promise.all([world.aDeveloper(), world.aDeveloper()]);
  await failing(ada.client.call(listProjects, { query: { developerId: bob.developer.id } }), 'NOT_ALLOWED');
});

it('a change and its audit log entry, with the values before and after, are stored together', async () => {
  const ada = await world.aDeveloper();
  const project = await world.aProject(ada, 'Old');
  await ada.client.call(editProject, { params: { projectId: project.id }, body: { name: 'New' } });
  const entry = await world.platform.db.one<{
    text: string;
    detail: Record<string, unknown>;
    actor: unknown;
  }>(sql`
    select text, detail, actor from log_entries where project_id = ${project.id} and action = 'editProject'`);
  expect(entry).toMatchObject({
    text: 'Settings of project New changed',
    detail: { before: { name: 'Old' }, after: { name: 'New' } },
    actor: { callerType: 'developer', id: ada.developer.id },
  });
});

it.each(['%', '\\', "'", '"', '🛥', 'שלום'])('a search for %s matches it literally', async word => {
  const ada = await world.aDeveloper();
  await world.aProject(ada, `has ${word} in it`);
  await world.aProject(ada, 'has nothing');
  const { items } = await ada.client.call(listProjects, { query: { search: word } });
  expect(items.map(({ name }) => name)).toEqual([`has ${word} in it`]);
});

it.each(['zoe', 'ZOË', 'Zoe\u0308'])('a search for %s ignores case and accents', async search => {
  const ada = await world.aDeveloper();
  await world.aProject(ada, 'Zoë');
  const { items } = await ada.client.call(listProjects, { query: { search } });
  expect(items.map(({ name }) => name)).toEqual(['Zoë']);
});
