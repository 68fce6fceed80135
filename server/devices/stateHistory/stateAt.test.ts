import { expect, it } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { saidBefore } from '#test/stateReports.ts';
import { figuresOf } from './figuresOf.ts';
import { statesAt } from './stateAt.ts';

const at = aGatewayWorld();

it('the past states of many devices can be read for any time and any event', async () => {
  const devices = [await at.device(), await at.device()];
  const states: Record<string, object[]> = {};
  for (const [n, device] of devices.entries()) {
    await using here = await at.connect(device);
    await here.say('state', { t: 0, deep: { a: n, b: 1 } });
    await here.say('state', { t: 1, deep: { b: null } });
    await here.say('state', { deep: 'flat' });
    await here.say('state', { t: null });
    states[device.id] = [
      {},
      { t: 0, deep: { a: n, b: 1 } },
      { t: 1, deep: { a: n } },
      { t: 1, deep: 'flat' },
      { deep: 'flat' },
    ];
  }
  const { db } = at.world.platform;
  const changes = await db.many<{ deviceId: string; ts: Date; seq: string }>(sql`
    select device_id as "deviceId", ts, seq from state_reports where project_id = ${at.projectId} order by seq`);
  expect(changes).toHaveLength(8);
  for (const change of changes) {
    const of = changes.filter(({ deviceId }) => deviceId === change.deviceId);
    // Reports in the same millisecond have no time between them.
    if (of.some(other => other !== change && other.ts.getTime() === change.ts.getTime())) continue;
    const now = await statesAt(db, at.projectId, [change.deviceId], change.ts);
    expect(now.get(change.deviceId)).toEqual(states[change.deviceId]?.[of.indexOf(change) + 1]);
  }
});

it('a mean weights each value by how long it held', async () => {
  const { id: deviceId } = await at.device();
  const { db } = at.world.platform;
  const now = at.world.now();
  const said = (minutes: number, numbers: Record<string, number>) => ({
    deviceId,
    numbers,
    at: new Date(now.getTime() - minutes * minuteMs),
  });
  await saidBefore(at, [
    said(60, { t: 10 }),
    said(5, { t: 20 }),
    said(2.5, { t: 30 }),
    said(1, { other: 1 }),
  ]);
  const asked = (minutes: number, property = 't') => ({
    projectId: at.projectId,
    deviceId,
    property,
    minutes,
    at: now,
  });
  const figures = await figuresOf(db, [asked(10), asked(2), asked(120), asked(10, 'none'), asked(5)]);
  expect(figures).toMatchObject([
    { min: 10, mean: 17.5, max: 30 },
    { min: 30, mean: 30, max: 30 },
    { min: 10, max: 30 },
    undefined,
    { mean: 25 },
  ]);
});
