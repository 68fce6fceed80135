import { expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';
import { settleRestored } from './settleRestored.ts';

const at = aGatewayWorld();

interface Row {
  seq: string;
  patch: unknown;
  undo: unknown;
}

const changesOf = (deviceId: string) =>
  at.world.platform.db.many<Row>(sql`
    select seq, patch, undo from state_reports
    where project_id = ${at.projectId} and device_id = ${deviceId} and patch is not null order by seq`);

it('each report with a change is one row, in order and with its undo patch', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  const reports = [
    { t: 20, power: { watts: 5, volts: 230 } },
    { t: 20 },
    { t: 21, power: { watts: null } },
    { t: 22 },
  ];
  await Promise.all(reports.map(report => here.say('state', report)));
  expect((await changesOf(device.id)).map(({ patch, undo }) => [patch, undo])).toEqual([
    [reports[0], { t: null, power: null }],
    [reports[2], { t: 20, power: { watts: 5 } }],
    [{ t: 22 }, { t: 21 }],
  ]);
  await at.owner.client.call(deleteDevice, { params: { deviceId: device.id } });
  await until(async () => ((await changesOf(device.id)).length === 0 ? true : undefined));
});

it('a report that violates the schema changes nothing', async () => {
  const stateSchema = { type: 'object', properties: { t: { type: 'number' } } };
  const { id: deviceClass } = await at.deviceClass({ stateSchema });
  const device = await at.device({ deviceClass });
  await using here = await at.connect(device);
  await Promise.all([
    here.say('state', { t: 1 }),
    here.say('state', { t: 'warm' }),
    here.say('state', { t: 2 }),
  ]);
  expect((await changesOf(device.id)).map(({ patch }) => patch)).toEqual([{ t: 1 }, { t: 2 }]);
});

it('changes from a backup are not taken for new ones', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.say('state', { t: 1 });
  const { db } = at.world.platform;
  const mine = sql`project_id = ${at.projectId} and device_id = ${device.id}`;
  await db.run(sql`update state_reports set tx = '9000000000000' where ${mine}`);
  await settleRestored(at.world.platform);
  const row = await db.one<{ isPast: boolean }>(sql`
    select tx < pg_snapshot_xmin(pg_current_snapshot()) as "isPast" from state_reports where ${mine}`);
  expect(row?.isPast).toBe(true);
});

// Last, because sessions expire with it.
it('reports are still stored after the clock jumps by months', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  at.world.pass(70 * dayMs);
  await here.say('state', { t: 1 });
  expect(await changesOf(device.id)).toHaveLength(1);
});
