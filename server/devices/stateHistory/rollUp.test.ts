import { expect, it } from 'vitest';
import { type HistoryPoint, readClassStateHistory, readDeviceStateHistory } from '#contract/stateHistory.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { openDatabase, sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { rolledUp, type SaidNumbers, saidBefore } from '#test/stateReports.ts';
import { rollUpSome } from './rollUp.ts';
import { settleRestored } from './settleRestored.ts';
import { storeHistory } from './storeHistory.ts';

const at = aGatewayWorld();

async function rollUp(max: number): Promise<void> {
  while (await rollUpSome(at.world.platform, max));
}

const ago = (ms: number) => new Date(at.world.now().getTime() - ms);
const readOf = (deviceId: string, days: number) =>
  at.owner.client.call(readDeviceStateHistory, {
    params: { deviceId },
    query: {
      begin: ago(days * dayMs).toISOString(),
      end: ago(-minuteMs).toISOString(),
      property: 't',
      points: 1000,
    },
  });

/** The expected answer, computed from the reports alone. */
function expected(said: readonly SaidNumbers[], stepS: number): HistoryPoint[] {
  const byStep = Map.groupBy(said, report => Math.floor(report.at.getTime() / 1000 / stepS));
  return [...byStep]
    .toSorted(([a], [b]) => a - b)
    .map(([step, reports]) => {
      const values = reports.map(({ numbers }) => numbers.t ?? 0);
      return {
        at: new Date(step * stepS * 1000).toISOString(),
        min: Math.min(...values),
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        max: Math.max(...values),
        count: values.length,
      };
    });
}

it('each report is counted once, despite concurrent, late and killed roll-ups', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const devices = [await at.device({ deviceClass }), await at.device({ deviceClass })];
  const all = devices.map(({ id: deviceId }) =>
    Array.from({ length: 600 }, (_, i) => ({
      deviceId,
      at: ago(2 * dayMs - i * 3.7 * minuteMs),
      numbers: { t: (i * 7919) % 101 },
    })),
  );
  const { db } = at.world.platform;
  const killed = () =>
    rollUpSome({
      ...at.world.platform,
      db: { ...db, tx: work => db.tx(tx => work(tx).then(() => Promise.reject(new Error('killed')))) },
    }).catch(error => expect(String(error)).toContain('killed'));
  for (const said of all) {
    // Late reports come last, in many transactions with roll-ups in between.
    const mixed = said.toSorted(
      (a, b) => (((a.numbers.t ?? 0) * 13) % 17) - (((b.numbers.t ?? 0) * 13) % 17),
    );
    for (let from = 0; from < mixed.length; from += 60)
      await Promise.all([
        saidBefore(at, mixed.slice(from, from + 30)),
        rollUp(7),
        killed(),
        rollUp(50),
        saidBefore(at, mixed.slice(from + 30, from + 60)),
      ]);
  }
  await rolledUp(at);
  for (const [n, device] of devices.entries()) {
    const days = await readOf(device.id, 3);
    expect([days.resolution, days.stepS]).toEqual(['fiveMinutes', 300]);
    expect(days.series).toEqual([{ property: 't', points: expected(all[n] ?? [], 300) }]);
    const month = await readOf(device.id, 29);
    expect([month.resolution, month.stepS]).toEqual(['hours', 3600]);
    expect(month.series[0]?.points).toEqual(expected(all[n] ?? [], 3600));
  }
  const ofClass = await at.owner.client.call(readClassStateHistory, {
    params: { classId: deviceClass },
    query: { projectId: at.projectId, begin: ago(29 * dayMs).toISOString(), end: ago(0).toISOString() },
  });
  const counts = ofClass.series[0]?.points.map(({ count }) => count) ?? [];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1200);
});

it('a report is in every chart at once, before and after the roll-up', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await rolledUp(at);
  await here.say('state', { t: 20 });
  await here.say('state', { t: 22 });
  const read = async () => {
    const ranges = await Promise.all([0.1, 2, 29].map(days => readOf(device.id, days)));
    return ranges.map(({ resolution, series }) => [
      resolution,
      series.flatMap(({ points }) => points).reduce((sum, { count }) => sum + count, 0),
    ]);
  };
  const everywhere = [
    ['raw', 2],
    ['fiveMinutes', 2],
    ['hours', 2],
  ];
  expect(await read()).toEqual(everywhere);
  await rolledUp(at);
  expect(await read()).toEqual(everywhere);
});

it('an open transaction, even in another database, delays only its own reports', async () => {
  const device = await at.device();
  const { db } = at.world.platform;
  const url = new URL(db.pool.options.connectionString ?? '');
  url.pathname = '/postgres';
  const elsewhere = openDatabase(url.href, { max: 1 });
  const said = (ms: number, t: number) => ({ deviceId: device.id, at: ago(ms), numbers: { t } });
  const read = async () =>
    (await readOf(device.id, 29)).series[0]?.points.map(({ mean, count }) => [mean, count]);
  try {
    await elsewhere.tx(async open => {
      await open.run(sql`select pg_current_xact_id()`);
      await db.tx(async late => {
        const { numbers, ...of } = said(2 * hourMs, 2);
        const history = {
          projectId: at.projectId,
          change: undefined,
          ...of,
          numbers: JSON.stringify(numbers),
        };
        await storeHistory(late, [history]);
        await saidBefore(at, [said(3 * hourMs, 1)]);
        await rolledUp(at);
        await saidBefore(at, [said(hourMs, 3)]);
        await rolledUp(at);
        expect(await read()).toEqual([
          [1, 1],
          [3, 1],
        ]);
      });
      await rolledUp(at);
      await rolledUp(at);
      expect(await read()).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
      ]);
    });
  } finally {
    await elsewhere.end();
  }
});

// Last, because earlier reports are ignored from then on.
it('after a restore, reports from the backup and new ones are each counted once', async () => {
  const device = await at.device();
  const said = (ms: number, t: number) => ({ deviceId: device.id, at: ago(ms), numbers: { t } });
  await saidBefore(at, [said(3 * hourMs, 1)]);
  await rolledUp(at);
  // Not yet counted when the backup was made.
  await saidBefore(at, [said(2 * hourMs, 2)]);
  const { db } = at.world.platform;
  // The original database of the backup had far higher transaction ids.
  await db.run(sql`update state_reports set tx = (tx::text::bigint + 1000000000000)::text::xid8`);
  await db.run(sql`
    update state_rollup set seen = format('%1$s:%1$s:', pg_snapshot_xmax(seen)::text::bigint + 1000000000000)::pg_snapshot`);
  await saidBefore(at, [said(-1, 4)]);
  // The hourly job may run before the first roll-up.
  await settleRestored(at.world.platform);
  await rolledUp(at);
  await rolledUp(at);
  await settleRestored(at.world.platform);
  await rolledUp(at);
  const { series } = await readOf(device.id, 29);
  expect(series[0]?.points.map(({ mean, count }) => [mean, count])).toEqual([
    [1, 1],
    [2, 1],
    [4, 1],
  ]);
  // Simulates that transaction ids have caught up.
  await db.run(sql`
    update state_reports set tx = pg_current_xact_id()
    where device_id = ${device.id} and (tx = '3' or tx > pg_snapshot_xmax(pg_current_snapshot()))`);
  await rolledUp(at);
  expect((await readOf(device.id, 29)).series[0]?.points.map(({ count }) => count)).toEqual([1, 1, 1]);
});
