import { afterAll, beforeAll, expect, it } from 'vitest';
import { actOnDevices, applyImport, readDeviceAction } from '#contract/deviceBulk.ts';
import type { Project } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { aClass, manyDevices } from '#test/devices.ts';
import { checkedImport, readOne, rested } from '#test/imports.ts';
import { type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

/** Jobs are done by a process of its own, which can be killed. */
let world: World;
let owner: SignedIn;
let project: Project;
let worker: ServerProcess;

beforeAll(async () => {
  world = await aWorld({ ROLES: 'api' });
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
  worker = await aWorker();
});
afterAll(async () => {
  await worker.stop();
  await world.end();
});

function aWorker(): Promise<ServerProcess> {
  const { databaseUrl = '', dataDir } = world.platform.config;
  return startMooring({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ROLES: 'worker' });
}

/** As the power goes. */
async function killWorker(): Promise<void> {
  const gone = new Promise(resolve => worker.child.once('exit', resolve));
  worker.child.kill('SIGKILL');
  await gone;
}

const count = 6000;

it('an import goes on after its worker was killed, and makes each device once', async () => {
  const { id: deviceClass } = await aClass(owner, project.id);
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ tag: `t${i}`, kv: { n: i } }));
  const { id } = await checkedImport(owner, { projectId: project.id, deviceClass }, lines.join('\n'));
  await owner.client.call(applyImport, { params: { projectId: project.id, importId: id } });
  await until(async () => ((await readOne(owner, project.id, id)).created > 0 ? true : undefined));
  await killWorker();
  const left = await readOne(owner, project.id, id);
  expect(left.state).toBe('applying');
  expect(left.created).toBeLessThan(count);
  worker = await aWorker();
  expect(await rested(owner, project.id, id)).toMatchObject({ state: 'done', created: count });
  const made = await world.platform.db.one(sql`
    select count(*)::int as devices, count(distinct tag)::int as tags from devices
    where project_id = ${project.id} and device_class = ${deviceClass}`);
  expect(made).toEqual({ devices: count, tags: count });
});

it('an action on many goes on after its worker was killed, and meets each device once', async () => {
  const { id: deviceClass } = await aClass(owner, project.id);
  await manyDevices(world, project.id, deviceClass, count);
  const params = { projectId: project.id };
  const body = { action: 'suspend', matching: { deviceClass } } as const;
  const { id } = await owner.client.call(actOnDevices, { params, body });
  const read = () => owner.client.call(readDeviceAction, { params: { ...params, actionId: id } });
  await until(async () => ((await read()).done > 0 ? true : undefined));
  await killWorker();
  const { done } = await read();
  expect(done).toBeLessThan(count);
  worker = await aWorker();
  await until(async () => ((await read()).state === 'done' ? true : undefined));
  const revisions = await world.platform.db.many(sql`
    select distinct revision, suspended from devices where project_id = ${project.id} and device_class = ${deviceClass}`);
  expect(revisions).toEqual([{ revision: 2, suspended: true }]);
});
