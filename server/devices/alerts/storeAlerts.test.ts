import { expect, it } from 'vitest';
import { unresolvedMax } from '#rules/devices/alertLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { aHome, inHome } from '#test/homes.ts';
import { type AlertAsked, reportAlerts } from './reportAlerts.ts';

const at = aGatewayWorld();

interface Row {
  id: string;
  key: string;
  state: string;
  severity: string;
  text: string;
  count: number;
}

const alertsOf = ({ id }: { id: string }) =>
  at.world.platform.db.many<Row>(sql`
    select id, key, state, severity, text, count::int from alerts where device_id = ${id} order by id`);
const changesOf = ({ id }: { id: string }) =>
  at.world.platform.db.many<{ what: string; by: string }>(sql`
    select c.what, c.by ->> 'type' as by from alert_changes c join alerts a on a.project_id = c.project_id and a.id = c.alert_id
    where a.device_id = ${id} order by c.number`);

const warning = (text: string, more = {}) => ({ _alert: { severity: 'warning', text, ...more } });

async function aSpeaker() {
  const device = await at.device();
  const here = await at.connect(device);
  return { device, here };
}

it('a hundred reports of one alert are one alert with a count and the latest text', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  for (let n = 1; n <= 20; n++) await here.say('events/low', warning(`Battery at ${20 - n}%`));
  expect(await alertsOf(device)).toMatchObject([
    { key: 'low', state: 'open', count: 20, text: 'Battery at 0%' },
  ]);
  expect(await changesOf(device)).toEqual([]);
});

it('different keys in one event are different alerts', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  for (const key of ['hall', 'attic', 'hall']) await here.say('events/smoke', warning(key, { key }));
  expect(await alertsOf(device)).toMatchObject([
    { key: 'hall', count: 2 },
    { key: 'attic', count: 1 },
  ]);
});

it('a device resolves its own alert; a report soon after reopens it, and a later one raises another', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  await here.say('events/smoke', warning('Smoke'));
  await here.say('events/clear', { _alert: { resolved: true, key: 'smoke', text: 'Aired' } });
  expect(await alertsOf(device)).toMatchObject([{ state: 'resolved', count: 1, text: 'Smoke' }]);
  at.world.pass(4 * minuteMs);
  await here.say('events/smoke', warning('Smoke'));
  expect(await alertsOf(device)).toMatchObject([{ state: 'open', count: 2 }]);
  await here.say('events/smoke', { _alert: { resolved: true } });
  at.world.pass(6 * minuteMs);
  await here.say('events/smoke', warning('Smoke anew'));
  expect(await alertsOf(device)).toMatchObject([
    { state: 'resolved', count: 2 },
    { state: 'open', count: 1, text: 'Smoke anew' },
  ]);
  expect(await changesOf(device)).toEqual(
    ['resolved', 'reopened', 'resolved'].map(what => ({ what, by: 'device' })),
  );
});

it('resolving an alert that was never raised does nothing', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  await here.say('events/smoke', { _alert: { resolved: true } });
  expect(await alertsOf(device)).toEqual([]);
});

it('an acknowledged alert that becomes more severe is open again', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  await here.say('events/smoke', warning('Smoke'));
  await at.world.platform.db.run(
    sql`update alerts set state = 'acknowledged' where device_id = ${device.id}`,
  );
  await here.say('events/smoke', warning('Smoke'));
  expect(await alertsOf(device)).toMatchObject([{ state: 'acknowledged', count: 2 }]);
  await here.say('events/smoke', { _alert: { severity: 'critical', text: 'Fire' } });
  expect(await alertsOf(device)).toMatchObject([{ state: 'open', severity: 'critical' }]);
});

it('alerts of a device beyond the limit are merged into one', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  await at.world.platform.db.run(sql`
    insert into alerts (project_id, id, device_id, device_class, key, ts, last_at, severity, text)
    select ${at.projectId}, 'alr_' || n || ${device.id}, ${device.id}, 'x', 'k' || n, now(), now(), 'info', 'x'
    from generate_series(1, ${unresolvedMax - 1}::int) n`);
  for (const key of ['a', 'b', 'c', 'a', 'k1']) await here.say('events/smoke', warning(key, { key }));
  const rows = await alertsOf(device);
  expect(rows).toHaveLength(unresolvedMax + 1);
  const counts = Object.fromEntries(rows.map(({ key, count }) => [key, count]));
  expect(counts).toMatchObject({ a: 2, k1: 2, '*': 2 });
});

it('alerts raised before a device came to a home are resolved and do not continue in that home', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  await here.say('events/smoke', warning('On the bench'));
  at.world.pass(1000);
  const homeId = await aHome(at.world, at.projectId);
  await inHome(at.world, homeId, [device.id]);
  at.world.pass(1000);
  await here.say('events/smoke', warning('In the hall'));
  expect(await alertsOf(device)).toMatchObject([
    { state: 'resolved', text: 'On the bench', count: 1 },
    { state: 'open', text: 'In the hall', count: 1 },
  ]);
});

it('an alert of a module is resolved neither by the device nor by another module', async () => {
  const { device, here } = await aSpeaker();
  await using _ = here;
  const { platform } = at.world;
  const of = (moduleId: string) => ({
    projectId: at.projectId,
    deviceId: device.id,
    key: 'hot',
    ts: at.world.now(),
    source: { kind: 'module', moduleId, runId: 'run_1' } as const,
  });
  const report = async (moduleId: string, said: Pick<AlertAsked, 'resolved' | 'text'>) => {
    const asked = { ...of(moduleId), severity: 'critical', ...said } as AlertAsked;
    const [kept] = await platform.db.tx(db => reportAlerts(db, platform, [asked]));
    return kept;
  };
  const hot = { resolved: false, text: 'Hot' } as const;
  const over = { resolved: true, text: '' } as const;
  const first = await report('mod_1', hot);
  expect(first?.isNew).toBe(true);
  expect(await report('mod_1', hot)).toMatchObject({ id: first?.id, isNew: false });
  expect((await report('mod_2', hot))?.isNew).toBe(true);
  await here.say('events/x', { _alert: { resolved: true, key: 'hot' } });
  expect(await report('mod_1', over)).toMatchObject({ id: first?.id });
  expect(await report('mod_1', over)).toBeUndefined();
  expect((await alertsOf(device)).map(({ state }) => state)).toEqual(['resolved', 'open']);
});

it('concurrent reports of a new alert create one alert', async () => {
  const device = await at.device();
  const { platform } = at.world;
  const source = { kind: 'module', moduleId: 'mod_1', runId: 'run_1' } as const;
  const given = { projectId: at.projectId, deviceId: device.id, source, ts: at.world.now() };
  const raised = await Promise.all(
    Array.from({ length: 8 }, () =>
      platform.db.tx(db =>
        reportAlerts(db, platform, [{ ...given, resolved: false, severity: 'info', text: 'x' }]),
      ),
    ),
  );
  const alerts = raised.flatMap(([kept]) => kept ?? []);
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(1);
  expect(alerts.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await alertsOf(device)).toMatchObject([{ count: 8 }]);
});
