import { expect, it } from 'vitest';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { operatorOf } from '#test/operator.ts';
import { until } from '#test/until.ts';
import { looked, retentionTime } from './retentionClock.ts';

const at = aGatewayWorld();

/** Housekeeping, as it runs every hour. */
async function keptHouse(): Promise<void> {
  const { db } = at.world.platform;
  const last = () => db.one<{ at: Date }>(sql`select looked_at as at from retention_clock`);
  const before = (await last())?.at.getTime();
  await enqueue(db, 'keepHouse', {});
  await until(async () => (await last())?.at.getTime() !== before || undefined);
  await until(async () => {
    const jobs = await db.many(sql`
      select 1 from graphile_worker.jobs where task_identifier = 'keepHouse' and attempts < max_attempts`);
    return jobs.length === 0 || undefined;
  });
}

it('a clock that was wrong for a moment deletes nothing, neither by a message nor by housekeeping', async () => {
  const { db } = at.world.platform;
  const device = await at.device();
  await using here = await at.connect(device, { keepalive: 0 });
  await here.say('state', { t: 1 });
  await here.say('events/door', {});
  await keptHouse();
  at.world.pass(40 * dayMs);
  await here.say('state', { t: 2 });
  await here.say('events/door', {});
  await keptHouse();
  at.world.pass(-40 * dayMs + hourMs);
  await keptHouse();
  const kept = async (table: 'state_reports' | 'device_events') =>
    (
      await db.many(sql`select 1 from ${table === 'state_reports' ? sql`state_reports` : sql`device_events`}
      where device_id = ${device.id}`)
    ).length;
  expect([await kept('state_reports'), await kept('device_events')]).toEqual([2, 2]);
  expect(
    (await db.one<{ ahead: Date | null }>(sql`select ahead_since as ahead from retention_clock`))?.ahead,
  ).toBeNull();
});

it('an operator sees that the clock jumped, and can confirm it', async () => {
  const { platform } = at.world;
  const before = at.world.now();
  await retentionTime(platform);
  at.world.pass(40 * dayMs);
  expect(await retentionTime(platform)).toEqual(before);
  const operator = operatorOf(at.world);
  expect((await operator('doctor')).out).toMatch(/FAIL {2}Clock {7}it jumped from/);
  expect(await operator('clock', 'confirm')).toMatchObject({ code: 0 });
  expect((await operator('doctor')).out).toMatch(/ok {4}Clock/);
});

it('a clock that stays ahead for a day is trusted, unless it jumps again meanwhile', () => {
  const start = new Date('2026-11-20T12:00:00Z');
  const after = (hours: number) => new Date(start.getTime() + hours * hourMs);
  let kept = { trustedAt: start, lookedAt: start, aheadSince: null as Date | null };
  const look = (hours: number) => {
    kept = looked(kept, after(hours));
    return (kept.trustedAt.getTime() - start.getTime()) / hourMs;
  };
  expect([look(1), look(24)]).toEqual([1, 24]);
  for (let hour = 1000; hour < 1024; hour++) expect(look(hour)).toBe(24);
  expect(look(1024)).toBe(1024);
  expect(look(3000)).toBe(1024);
  for (let hour = 5000; hour < 5024; hour++) expect(look(hour)).toBe(1024);
  // It was set right.
  expect(look(1030)).toBe(1030);
});
