import { describe, expect, it } from 'vitest';
import { createProject, listProjects, readProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

const create = ({ client }: SignedIn, name: string) => client.call(createProject, { body: { name } });

describe('a project', () => {
  it('belongs to its creator, and is read as it was returned', async () => {
    const owner = await world.aDeveloper();
    const body = { name: ' Nordlys ', description: 'Thermostats\nin every hall' };
    const project = await owner.client.call(createProject, { body });
    expect(project).toMatchObject({
      name: 'Nordlys',
      description: body.description,
      role: 'owner',
      revision: 1,
    });
    const params = { projectId: project.id };
    expect(await owner.client.call(readProject, { params })).toEqual(project);
    const stranger = await world.aDeveloper();
    await failing(stranger.client.call(readProject, { params }), 'NOT_A_MEMBER');
    const nowhere = { projectId: 'prj_none' };
    await failing(owner.client.call(readProject, { params: nowhere }), 'PROJECT_NOT_FOUND');
  });

  it('is created with its audit log entry in one transaction', async () => {
    const owner = await world.aDeveloper();
    const { id } = await create(owner, 'Nordlys');
    const rows = await world.platform.db.many(sql`
      select l.action, l.text, l.xmin::text = p.xmin::text as together
      from log_entries l join projects p on p.id = l.project_id where p.id = ${id}`);
    expect(rows).toEqual([{ action: 'createProject', text: 'Project Nordlys created', together: true }]);
  });
});

describe('the list of projects', () => {
  it('is returned in pages with the total, in a stable order', async () => {
    const owner = await world.aDeveloper();
    for (const name of ['b', 'A', 'Charlie', 'a']) await create(owner, name);
    const names = async (query: object) => {
      const { items, total } = await owner.client.call(listProjects, { query });
      return [items.map(({ name }) => name), total];
    };
    expect(await names({ limit: 2, skip: 1, sortBy: 'name:desc' })).toEqual([['b', 'A'], 4]);
    expect(await names({ search: '%' })).toEqual([[], 0]);
    expect(await names({ search: 'CHARL' })).toEqual([['Charlie'], 1]);
  });

  it('is sorted by name without regard to accents and capitals', async () => {
    const owner = await world.aDeveloper();
    for (const name of ['berlin', 'Ávila', 'Avocado', 'Zürich']) await create(owner, name);
    const { items } = await owner.client.call(listProjects, { query: { sortBy: 'name:asc' } });
    expect(items.map(({ name }) => name)).toEqual(['Ávila', 'Avocado', 'berlin', 'Zürich']);
  });

  it('is refused past its end, with the total', async () => {
    const owner = await world.aDeveloper();
    await create(owner, 'Only one');
    const refused = await failing(owner.client.call(listProjects, { query: { skip: 10 } }), 'INVALID_RANGE');
    expect(refused.context).toEqual({ total: 1 });
  });
});
