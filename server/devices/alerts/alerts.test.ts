import { beforeAll, describe, expect, it } from 'vitest';
import { changeAlert, listAlerts, readAlert, readAlertCounts } from '#contract/alert.ts';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import { readLogEntries } from '#contract/log.ts';
import { addMember } from '#contract/team.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { anAlert } from '#test/alerts.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aKey } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const aProject = async () => (await at.world.aProject(at.owner)).id;
const list = (projectId: string, query: QueryOf<typeof listAlerts> = {}) =>
  at.owner.client.call(listAlerts, { params: { projectId }, query });
const idsOf = async (projectId: string, query: QueryOf<typeof listAlerts> = {}) =>
  (await list(projectId, query)).items.map(({ id }) => id);
const change = (alertId: string, body: BodyOf<typeof changeAlert>, by = at.owner) =>
  by.client.call(changeAlert, { params: { alertId }, body });
const read = (alertId: string) => at.owner.client.call(readAlert, { params: { alertId } });

describe('the alerts of a project', () => {
  let projectId: string;
  let devices: { id: string; deviceClass: string }[];
  let ids: Record<string, string>;
  beforeAll(async () => {
    projectId = await aProject();
    devices = [await aDevice(at.owner, projectId), await aDevice(at.owner, projectId, { name: 'Hall' })];
    const [one = { id: '' }, two = { id: '' }] = devices;
    const raise = async (deviceId: string, given: Parameters<typeof anAlert>[2]) => {
      at.world.pass(minuteMs);
      return (await anAlert(at.world, { projectId, deviceId }, given)).id;
    };
    ids = {
      low: await raise(one.id, { key: 'low', severity: 'info', text: 'Battery at 18%' }),
      smoke: await raise(two.id, { key: 'smoke', severity: 'critical', text: 'Røyk i gangen' }),
      hot: await raise(one.id, { key: 'hot', severity: 'warning', moduleId: 'frost', text: 'Too hot' }),
    };
    await change(ids.low ?? '', { state: 'resolved' });
  });

  it('are filtered, newest first', async () => {
    const { low, smoke, hot } = ids;
    expect(await idsOf(projectId)).toEqual([hot, smoke, low]);
    expect(await idsOf(projectId, { state: 'open' })).toEqual([hot, smoke]);
    expect(await idsOf(projectId, { severity: 'critical' })).toEqual([smoke]);
    expect(await idsOf(projectId, { deviceId: devices[0]?.id })).toEqual([hot, low]);
    expect(await idsOf(projectId, { deviceClass: devices[1]?.deviceClass })).toEqual([smoke]);
    expect(await idsOf(projectId, { moduleId: 'frost' })).toEqual([hot]);
    expect(await idsOf(projectId, { moduleId: '' })).toEqual([]);
    expect(await idsOf(projectId, { search: 'ROYK' })).toEqual([]);
    expect(await idsOf(projectId, { search: 'røyk' })).toEqual([smoke]);
    expect(await idsOf(projectId, { search: '%' })).toEqual([low]);
    const [raised] = (await list(projectId, { severity: 'critical' })).items;
    expect(raised).toMatchObject({ key: 'smoke', source: { kind: 'device', event: 'smoke' }, count: 1 });
    expect(await idsOf(projectId, { begin: raised?.raisedAt })).toEqual([hot, smoke]);
    expect(await idsOf(projectId, { end: raised?.raisedAt })).toEqual([low]);
    expect(await idsOf(projectId, { homeId: '1' })).toEqual([]);
    const homeId = await aHome(at.world, projectId);
    await inHome(at.world, homeId, [devices[1]?.id]);
    expect(await idsOf(projectId, { homeId })).toEqual([smoke]);
  });

  it('are sorted and paged, with their total', async () => {
    const { low, smoke, hot } = ids;
    expect(await idsOf(projectId, { sortBy: 'severity:desc' })).toEqual([smoke, hot, low]);
    expect(await idsOf(projectId, { sortBy: 'lastAt:asc' })).toEqual([low, smoke, hot]);
    const page = await list(projectId, { limit: 2 });
    expect([page.total, page.items.length]).toEqual([3, 2]);
    expect(await idsOf(projectId, { limit: 2, cursor: page.nextCursor })).toEqual([low]);
    const begin = at.world.now().toISOString();
    await failing(list(projectId, { begin, end: begin }), 'INVALID_RANGE');
    await failing(list(projectId, { state: 'gone' as never }), 'INVALID_FIELDS');
  });

  it('are counted by state, and open ones by severity', async () => {
    const counts = await at.owner.client.call(readAlertCounts, { params: { projectId } });
    expect(counts).toEqual({
      open: 2,
      acknowledged: 0,
      resolved: 1,
      openBySeverity: { info: 0, warning: 1, critical: 1 },
    });
  });
});

describe('an alert', () => {
  const aRaised = async (given: Parameters<typeof anAlert>[2] = {}) => {
    const { id: deviceId } = await at.device({ name: 'Hall' });
    const place = { projectId: at.projectId, deviceId };
    return {
      ...place,
      ...(await anAlert(at.world, place, given)),
      again: () => anAlert(at.world, place, given),
    };
  };

  it('records who acknowledged and resolved it, when and why', async () => {
    const { id, again } = await aRaised();
    at.world.pass(minuteMs);
    const changed = await change(id, { state: 'acknowledged', note: 'On my way' });
    const by = { type: 'developer', id: at.owner.developer.id, name: at.owner.developer.name };
    expect(changed).toMatchObject({
      state: 'acknowledged',
      deviceName: 'Hall',
      change: { by, note: 'On my way' },
    });
    await again();
    await change(id, { note: 'It was toast' });
    await change(id, { state: 'resolved' });
    expect(await read(id)).toMatchObject({
      state: 'resolved',
      count: 2,
      change: { by, note: '' },
      changes: [
        { what: 'acknowledged', by, note: 'On my way' },
        { what: 'note', note: 'It was toast' },
        { what: 'resolved' },
      ],
    });
    const begin = new Date(at.world.now().getTime() - hourMs).toISOString();
    const entries = await at.owner.client.call(readLogEntries, {
      params: { projectId: at.projectId },
      query: { begin, end: new Date(at.world.now().getTime() + 1000).toISOString() },
    });
    const texts = entries.map(({ text }) => text).filter(text => text.includes(id));
    expect(texts.map(text => text.replace(/.* (\w+): (.*)/, '$1: $2'))).toEqual(
      ['resolved', 'annotated', 'acknowledged'].map(said => `${said}: Smoke`),
    );
  });

  it('cannot be reopened once another one has replaced it', async () => {
    const { id, again } = await aRaised();
    await change(id, { state: 'resolved' });
    await change(id, { state: 'open' });
    await change(id, { state: 'resolved' });
    at.world.pass(10 * minuteMs);
    expect((await again()).isNew).toBe(true);
    await failing(change(id, { state: 'open' }), 'ALERT_REPLACED');
  });

  it('is not changed by a call that read an older revision', async () => {
    const { id } = await aRaised();
    const { revision } = await read(id);
    const asked = { params: { alertId: id }, body: { state: 'acknowledged' as const }, ifMatch: revision };
    await at.owner.client.call(changeAlert, asked);
    await failing(at.owner.client.call(changeAlert, asked), 'STALE');
  });

  it('is read by a viewer, changed by a developer or a key, and hidden from others', async () => {
    const { id, projectId } = await aRaised();
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    const body = { email: viewer.developer.email, role: 'viewer' as const };
    await at.owner.client.call(addMember, { params: { projectId }, body });
    expect(await viewer.client.call(readAlert, { params: { alertId: id } })).toMatchObject({ id });
    await failing(change(id, { state: 'resolved' }, viewer), 'ROLE_TOO_LOW');
    await failing(change(id, { state: 'resolved' }, stranger), 'ALERT_NOT_FOUND');
    const key = await aKey(at.world, at.owner, { projectId, canAdmin: true });
    const asked = { params: { alertId: id }, body: { state: 'resolved' as const } };
    const changed = await key.client.call(changeAlert, asked);
    expect(changed.change?.by).toEqual({ type: 'key', id: key.key.id, name: key.key.name });
  });
});
