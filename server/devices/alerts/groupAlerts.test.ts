import { beforeAll, describe, expect, it } from 'vitest';
import { changeAlert, listAlerts } from '#contract/alert.ts';
import { listAlertGroups } from '#contract/alertGroup.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { anAlert } from '#test/alerts.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

describe('the alerts of a project by what they have in common', () => {
  let projectId: string;
  let deviceIds: string[];
  const groups = (query: QueryOf<typeof listAlertGroups> = {}) =>
    at.owner.client.call(listAlertGroups, { params: { projectId }, query });
  beforeAll(async () => {
    projectId = (await at.world.aProject(at.owner)).id;
    const devices = [];
    for (const name of ['Lobby', 'Reception', 'Sauna'])
      devices.push(await aDevice(at.owner, projectId, { name }));
    deviceIds = devices.map(({ id }) => id);
    const raise = async (device: number, given: Parameters<typeof anAlert>[2]) => {
      at.world.pass(minuteMs);
      return (await anAlert(at.world, { projectId, deviceId: deviceIds[device] ?? '' }, given)).id;
    };
    const early = await raise(1, { key: 'warm', moduleId: 'frost-guard', text: 'Warm' });
    await at.owner.client.call(changeAlert, { params: { alertId: early }, body: { state: 'resolved' } });
    at.world.pass(2 * hourMs);
    await raise(0, { key: 'overheat', severity: 'critical', text: 'Valve motor at 71 °C' });
    for (const device of [0, 1, 2])
      await raise(device, { key: 'warm', moduleId: 'frost-guard', text: 'Warm' });
    await raise(2, { key: 'overheat', severity: 'warning', text: 'Valve motor at 64 °C' });
  });

  it('are one group for each rule or event and severity: critical ones first, then the newest report', async () => {
    const { alerts, total, groups: found } = await groups({ state: 'open' });
    expect([alerts, total]).toEqual([5, 3]);
    expect(found.map(({ id, severity, alerts: count, devices }) => [id, severity, count, devices])).toEqual([
      ['critical:event:overheat', 'critical', 1, 1],
      ['warning:event:overheat', 'warning', 1, 1],
      ['warning:module:frost-guard', 'warning', 3, 3],
    ]);
    expect(found[2]).toMatchObject({ newest: { deviceName: 'Sauna' }, lastAt: found[2]?.newest.lastAt });
    expect(found[2]?.raisedAt).toBe((await groups({ deviceId: deviceIds[0] })).groups[1]?.raisedAt);
  });

  it('say in which hour alerts of the group were raised, resolved ones included', async () => {
    const hours = (await groups({ state: 'open' })).groups[2]?.raisedPerHour ?? [];
    expect(hours.length).toBe(24);
    expect([hours.at(-1), hours.at(-3), hours.reduce((sum, one) => sum + one, 0)]).toEqual([3, 1, 4]);
  });

  it('are one group for each device, by the worst of its alerts', async () => {
    const { groups: found } = await groups({ by: 'device', state: 'open' });
    expect(found.map(({ id, severity, alerts }) => [id, severity, alerts])).toEqual([
      [deviceIds[0], 'critical', 2],
      [deviceIds[2], 'warning', 2],
      [deviceIds[1], 'warning', 1],
    ]);
  });

  it('are filtered like the list, which finds the members of a group', async () => {
    expect((await groups({ search: 'valve', state: 'open' })).total).toBe(2);
    expect((await groups({ state: 'resolved' })).alerts).toBe(1);
    expect((await groups({ state: 'acknowledged' })).groups).toEqual([]);
    const members = (query: QueryOf<typeof listAlerts>) =>
      at.owner.client.call(listAlerts, { params: { projectId }, query: { ...query, state: 'open' } });
    expect((await members({ event: 'overheat', severity: 'critical' })).total).toBe(1);
    expect((await members({ moduleId: 'frost-guard', severity: 'warning' })).total).toBe(3);
    expect((await members({ event: 'warm' })).total).toBe(0);
    const now = at.world.now().toISOString();
    await failing(groups({ begin: now, end: now }), 'INVALID_RANGE');
  });
});
