import { afterEach, expect, it } from 'vitest';
import { editSmartModule, readSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { aWorker, untilRuns } from '#test/modules.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
afterEach(() => at.world.platform.db.run(sql`delete from smart_modules`));

const nobody = {
  cron: '0 0 1 1 *',
  timeZone: 'Europe/Oslo',
  devices: { by: 'tag', tag: 'none' },
  action: { kind: 'command', name: 'light' },
};

it('a schedule whose secrets cannot be read rests, says so, and stops no other', async () => {
  const { db } = at.world.platform;
  const { id: damaged } = await createdModule(at, 'schedule', nobody);
  const { id: other } = await createdModule(at, 'schedule', nobody);
  await db.run(sql`update smart_modules set secrets = '\\x00' where id = ${damaged}`);
  const early = new Date(at.world.now().getTime() - 2 * minuteMs);
  const late = new Date(at.world.now().getTime() - minuteMs);
  for (const [id, dueAt] of [
    [damaged, early],
    [other, late],
  ] as const)
    await db.run(sql`update smart_modules set due_at = ${dueAt} where id = ${id}`);
  const worker = aWorker(at.world, [typeOf('schedule')]);
  await untilRuns(at.world, other, ([one]) => one?.state === 'done');
  await worker.stop();
  const params = { projectId: at.projectId, moduleId: damaged };
  const { restsBecause } = await at.owner.client.call(readSmartModule, { params });
  expect(restsBecause).toBe('Its configuration could not be read. Save it again, with its secrets.');
});

it('a schedule that is edited when it is due still runs for that time', async () => {
  const { id } = await createdModule(at, 'schedule', nobody);
  const dueAt = new Date(at.world.now().getTime() - minuteMs);
  await at.world.platform.db.run(sql`update smart_modules set due_at = ${dueAt} where id = ${id}`);
  const configData = { ...nobody, action: { kind: 'command', name: 'dark' } } as never;
  const params = { projectId: at.projectId, moduleId: id };
  await at.owner.client.call(editSmartModule, { params, body: { configData } });
  const worker = aWorker(at.world, [typeOf('schedule')]);
  const [run] = await untilRuns(at.world, id, ([one]) => one?.state === 'done');
  await worker.stop();
  expect(run?.summary).toBe('No devices match');
});
