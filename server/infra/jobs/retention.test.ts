import { expect, it } from 'vitest';
import { dayMs } from '#rules/time/durations.ts';
import { eventPartitions } from '#server/devices/events/storeEvents.ts';
import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { attempt } from '#test/attempt.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { batch, keepHouse } from './housekeeping.ts';

const at = aGatewayWorld();
const now = new Date('2026-11-20T12:00:00Z');

it('commands and alerts are deleted after their retention period, even if there are very many', async () => {
  const { platform } = at.world;
  const { db } = platform;
  const device = await at.device();
  const old = (days: number) => new Date(now.getTime() - days * dayMs);
  const count = batch + 5;
  for (const [prefix, age, many] of [
    ['old', 31, count],
    ['new', 29, 1],
  ] as const) {
    await db.run(sql`
      insert into device_commands (project_id, device_id, id, name, args, sent_by, created_at, expires_at)
      select ${at.projectId}, ${device.id}, ${prefix} || n, 'x', '{}', '{}', ${old(age)}, ${old(age)}
      from generate_series(1, ${many}::int) n`);
  }
  for (const [id, age] of [
    ['old', 8],
    ['new', 6],
  ] as const) {
    await db.run(sql`
      insert into alerts (project_id, id, device_id, device_class, key, ts, last_at, severity, text)
      values (${at.projectId}, ${id}, ${device.id}, 'x', ${id}, ${old(9)}, ${old(age)}, 'info', 'x')`);
  }
  await keepHouse({
    db,
    clock: () => now,
    log: platform.log,
    chores: slices.flatMap(slice => slice.chores ?? []),
  })({}, attempt);
  expect(await db.many(sql`select id from device_commands`)).toEqual([{ id: 'new1' }]);
  expect(await db.many(sql`select id from alerts where device_id = ${device.id}`)).toEqual([{ id: 'new' }]);
});

it('weekly partitions are created ahead, and dropped when the retention of their last day ends', async () => {
  const { db } = at.world.platform;
  const weeks = async () => {
    const rows = await db.many<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'device_events'::regclass order by 1`);
    return rows.map(({ name }) => name.slice('device_events_'.length));
  };
  const monday = new Date('2030-01-07T00:00:00Z');
  await maintainPartitions(db, [eventPartitions], monday);
  expect(await weeks()).toEqual(['20291231', '20300107', '20300114', '20300121', '20300128']);
  await maintainPartitions(db, [eventPartitions], new Date(monday.getTime() + 36 * dayMs));
  expect((await weeks()).at(0)).toBe('20300107');
  await maintainPartitions(db, [eventPartitions], new Date(monday.getTime() + 37 * dayMs));
  expect((await weeks()).at(0)).toBe('20300114');
});

it('an event without a weekly partition creates it', async () => {
  const device = await at.device();
  await using here = await at.connect(device, { keepalive: 0 });
  at.world.pass(400 * dayMs);
  await here.say('events/later', {});
  const rows = await at.world.platform.db.many(
    sql`select 1 from device_events where device_id = ${device.id}`,
  );
  expect(rows).toHaveLength(1);
});
