import { expect, it } from 'vitest';
import { editSmartModule } from '#contract/smartModule.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { aRuleWorld } from '#test/ruleWorld.ts';
import { until } from '#test/until.ts';

const at = aRuleWorld();

it('a rule with alerts of a whole fleet is suspended without one transaction for all, and all of them are resolved', async () => {
  const { db, newId } = at.world.platform;
  const { id: deviceClass } = await at.deviceClass();
  const rule = await at.aRule({ condition: 'state.temperature > 30' }, deviceClass);
  const deviceIds = await manyDevices(at.world, at.projectId, deviceClass, 1_200);
  const now = at.world.now();
  // The rule was resumed before the jobs had come to this device, and raised its alert again.
  const later = new Date(now.getTime() + hourMs);
  await db.run(sql`
    insert into alerts (project_id, id, device_id, device_class, module_id, key, severity, text, ts, last_at, ends_with_condition)
    select ${at.projectId}, id, device_id, ${deviceClass}, ${rule}, 'alert', 'warning', 'Hot', ${now}, last_at, true
    from unnest(${deviceIds.map(() => newId('alr'))}::text[], ${deviceIds}::text[],
      ${deviceIds.map((_, n) => (n === 0 ? later : now))}::timestamptz[]) a (id, device_id, last_at)`);
  const params = { projectId: at.projectId, moduleId: rule };
  await at.owner.client.call(editSmartModule, { params, body: { suspended: true } });
  const of = sql`from alerts where module_id = ${rule}`;
  const open = () =>
    db.many<{ deviceId: string }>(sql`select device_id as "deviceId" ${of} and state = 'open'`);
  const left = await until(async () => {
    const found = await open();
    return found.length <= 1 ? found : undefined;
  });
  expect(left).toEqual([{ deviceId: deviceIds[0] }]);
  const most = await db.one<{ count: number }>(sql`
    select count(*)::int as count ${of} group by xmin order by 1 desc limit 1`);
  expect(most?.count).toBeLessThanOrEqual(500);
});
