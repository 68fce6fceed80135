import { expect, it } from 'vitest';
import { editSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { aWorker, untilRuns } from '#test/modules.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });

it('a schedule that is edited when it is due still runs for that time', async () => {
  const config = {
    cron: '0 0 1 1 *',
    timeZone: 'Europe/Oslo',
    devices: { by: 'tag', tag: 'none' },
    action: { kind: 'command', name: 'light' },
  };
  const { id } = await createdModule(at, 'schedule', config);
  const dueAt = new Date(at.world.now().getTime() - minuteMs);
  await at.world.platform.db.run(sql`update smart_modules set due_at = ${dueAt} where id = ${id}`);
  const configData = { ...config, action: { kind: 'command', name: 'dark' } } as never;
  const params = { projectId: at.projectId, moduleId: id };
  await at.owner.client.call(editSmartModule, { params, body: { configData } });
  const worker = aWorker(at.world, [typeOf('schedule')]);
  const [run] = await untilRuns(at.world, id, ([one]) => one?.state === 'done');
  await worker.stop();
  expect(run?.summary).toBe('No devices match');
});
