import { afterAll, beforeAll, expect, it } from 'vitest';
import { actOnDevices, readDeviceAction } from '#contract/deviceBulk.ts';
import { sql } from '#server/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { apply, checkedImport, readOne, rested } from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';

/** Jobs are done by a process of its own, which can be killed. */
const at = aProjectWorld({ ROLES: 'api' });
let worker: ServerProcess;

beforeAll(async () => {
  worker = await aWorker();
});
afterAll(() => worker.stop());

function aWorker(): Promise<ServerProcess> {
  const { databaseUrl = '', dataDir } = at.world.platform.config;
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
  const { id: deviceClass } = await at.deviceClass();
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ tag: `t${i}`, kv: { n: i } }));
  const { id } = await checkedImport(at.owner, { projectId: at.projectId, deviceClass }, lines.join('\n'));
  await apply(at.owner, at.projectId, id);
  await until(async () => ((await readOne(at.owner, at.projectId, id)).created > 0 ? true : undefined));
  await killWorker();
  const left = await readOne(at.owner, at.projectId, id);
  expect(left.state).toBe('applying');
  expect(left.created).toBeLessThan(count);
  worker = await aWorker();
  expect(await rested(at.owner, at.projectId, id)).toMatchObject({ state: 'done', created: count });
  const made = await at.world.platform.db.one(sql`
    select count(*)::int as devices, count(distinct tag)::int as tags from devices
    where project_id = ${at.projectId} and device_class = ${deviceClass}`);
  expect(made).toEqual({ devices: count, tags: count });
});

it('an action on many goes on after its worker was killed, and meets each device once', async () => {
  const { id: deviceClass } = await at.deviceClass();
  await manyDevices(at.world, at.projectId, deviceClass, count);
  const params = { projectId: at.projectId };
  const body = { action: 'suspend', matching: { deviceClass } } as const;
  const { id } = await at.owner.client.call(actOnDevices, { params, body });
  const read = () => at.owner.client.call(readDeviceAction, { params: { ...params, actionId: id } });
  await until(async () => ((await read()).done > 0 ? true : undefined));
  await killWorker();
  const { done } = await read();
  expect(done).toBeLessThan(count);
  worker = await aWorker();
  await until(async () => ((await read()).state === 'done' ? true : undefined));
  const revisions = await at.world.platform.db.many(sql`
    select distinct revision, suspended from devices where project_id = ${at.projectId} and device_class = ${deviceClass}`);
  expect(revisions).toEqual([{ revision: 2, suspended: true }]);
});
