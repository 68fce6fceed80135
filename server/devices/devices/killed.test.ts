import { afterAll, beforeAll, expect, it } from 'vitest';
import { actOnDevices, readDeviceAction } from '#contract/deviceBulk.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { apply, checkedImport, readOne, rested } from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';
import { untilWaiting } from '#test/untilWaiting.ts';

/** Jobs run in a separate process, which the tests can kill. */
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

/** Ends the worker without a chance to clean up, as in a power failure. */
async function killWorker(): Promise<void> {
  const gone = new Promise(resolve => worker.child.once('exit', resolve));
  worker.child.kill('SIGKILL');
  await gone;
}

/** Starts the work and kills the worker while it waits for a held row, so it dies midway however fast it is. */
async function killedAt(hold: Sql, work: () => Promise<unknown>, release = sql`select 1`): Promise<void> {
  await at.world.platform.db.tx(async tx => {
    await tx.run(hold);
    await work();
    await untilWaiting(at.world, 1);
    await killWorker();
    await tx.run(release);
  });
}

const count = 6000;

it('an import continues after its worker was killed, and creates each device once', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ tag: `t${i}`, kv: { n: i }, ...(i === 2_500 && { claimCode: 'HELDHERE22' }) }),
  );
  const { id } = await checkedImport(at.owner, { projectId: at.projectId, deviceClass }, lines.join('\n'));
  const holder = await at.device();
  const coded = (code?: string) => sql`update devices set claim_code = ${code} where id = ${holder.id}`;
  const work = () => apply(at.owner, at.projectId, id);
  await killedAt(coded('HELDHERE22'), work, coded(holder.claimCode));
  expect(await readOne(at.owner, at.projectId, id)).toMatchObject({ state: 'applying', created: 2_000 });
  worker = await aWorker();
  expect(await rested(at.owner, at.projectId, id)).toMatchObject({ state: 'done', created: count });
  const made = await at.world.platform.db.one(sql`
    select count(*)::int as devices, count(distinct tag)::int as tags from devices
    where project_id = ${at.projectId} and device_class = ${deviceClass}`);
  expect(made).toEqual({ devices: count, tags: count });
});

it('a bulk action continues after its worker was killed, and changes each device once', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const ids = await manyDevices(at.world, at.projectId, deviceClass, count);
  const params = { projectId: at.projectId };
  const body = { action: 'suspend', matching: { deviceClass } } as const;
  let actionId = '';
  await killedAt(sql`select 1 from devices where id = ${ids[2_500]} for update`, async () => {
    ({ id: actionId } = await at.owner.client.call(actOnDevices, { params, body }));
  });
  const read = () => at.owner.client.call(readDeviceAction, { params: { ...params, actionId } });
  expect((await read()).done).toBe(2_000);
  worker = await aWorker();
  await until(async () => ((await read()).state === 'done' ? true : undefined));
  const revisions = await at.world.platform.db.many(sql`
    select distinct revision, suspended from devices where project_id = ${at.projectId} and device_class = ${deviceClass}`);
  expect(revisions).toEqual([{ revision: 2, suspended: true }]);
});
