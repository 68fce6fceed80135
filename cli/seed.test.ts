import { beforeAll, describe, expect, it } from 'vitest';
import { listDevices, readDeviceKey } from '#contract/device.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import { editProject, listProjects, type Project } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { operatorOf, type Said } from '#test/operator.ts';
import { auditOf } from '#test/rows.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();
let owner: SignedIn;
let mooring: (...words: string[]) => Promise<Said>;
beforeAll(async () => {
  mooring = operatorOf(world);
  owner = await world.aDeveloper();
});

const listOf = ({ id }: Project, query = {}) =>
  owner.client.call(listDevices, { query: { projectId: id, ...query } });

describe('seed', () => {
  it('fills a project with devices of several classes, and records this in its audit log', async () => {
    const project = await world.aProject(owner);
    const { code, out, err } = await mooring(
      'seed',
      '--project',
      project.id,
      '--devices',
      '5003',
      '--classes',
      '2',
    );
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('5,003 demonstration devices of 2 classes created'),
    ]);
    expect(err).toContain('5,003 of 5,003 devices');
    const classes = await owner.client.call(listDeviceClasses, { params: { projectId: project.id } });
    expect(classes.items.map(one => [one.id, one.deviceCount, one.connectedCount])).toEqual([
      ['demo-1', 2502, 0],
      ['demo-2', 2501, 0],
    ]);
    const oldest = await listOf(project, { sortBy: 'creationTime:asc', limit: 2 });
    const newest = await listOf(project, { limit: 1 });
    const times = [...oldest.items, ...newest.items].map(({ creationTime }) => creationTime);
    expect(times).toEqual(times.toSorted());
    expect((await listOf(project, { connectionStatus: 'connected' })).total).toBe(0);
    expect((await auditOf(world, project.id)).at(-1)).toMatchObject({
      action: 'seedDevices',
      actor: { callerType: 'operator', id: 'olga' },
    });
    const params = { deviceId: newest.items[0]?.id ?? '' };
    expect((await owner.client.call(readDeviceKey, { params })).apiKey).toHaveLength(32);
  });

  it('adds to existing devices, and stores no keys if the project does not store keys', async () => {
    const project = await world.aProject(owner);
    const params = { projectId: project.id };
    await owner.client.call(editProject, { params, body: { forgetDeviceKeys: true } });
    for (let i = 0; i < 2; i++) await mooring('seed', '--project', project.id, '--devices', '10');
    expect((await listOf(project)).total).toBe(20);
    const sealed = await world.platform.db.many(
      sql`select id from devices where project_id = ${project.id} and key_sealed is not null`,
    );
    expect(sealed).toEqual([]);
  });

  it('creates a project for a developer given by e-mail address', async () => {
    const { code } = await mooring('seed', '--email', owner.email.toUpperCase(), '--devices', '3');
    expect(code).toBe(0);
    const { items } = await owner.client.call(listProjects, { query: { search: 'Demonstration' } });
    expect(items).toHaveLength(1);
    expect((await listOf(items[0] as Project)).total).toBe(3);
  });

  it.each([
    [['--devices', '5'], 'Pass --project or --email.'],
    [['--project', 'prj_none', '--devices', '5'], 'Project prj_none does not exist.'],
    [
      ['--email', 'nobody@example.com', '--devices', '5'],
      'Developer nobody@example.com does not exist in default.',
    ],
    [['--project', 'x', '--devices', '0'], '--devices must be a number from 1 to 10,000,000.'],
    [['--project', 'x', '--devices', '5', '--classes', '101'], '--classes must be a number from 1 to 100.'],
    [['--project', 'x'], '--devices is missing.'],
  ])('with %j reports the error', async (words, text) => {
    const { code, err } = await mooring('seed', ...words);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(err).toContain('Usage: npm run mooring -- seed');
  });
});
