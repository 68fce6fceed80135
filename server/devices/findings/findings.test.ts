import { expect, it } from 'vitest';
import { changeAlert } from '#contract/alert.ts';
import { createChannel } from '#contract/channel.ts';
import { sendCommand } from '#contract/command.ts';
import { type Device, deviceSignals, editDevice, listDevices } from '#contract/device.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { hiddenMax, hideFinding, listFindings, showFinding } from '#contract/finding.ts';
import { listDeviceNames, listDevicePulses } from '#contract/fleet.ts';
import { addMember } from '#contract/team.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anAlert } from '#test/alerts.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

it('findings list what needs attention by kind, with count, latest devices and causes', async () => {
  const { id: deviceClass } = await at.deviceClass({
    stateSchema: { properties: { celsius: { maximum: 30 } } },
  });
  const device = await at.device({ deviceClass, name: 'Boiler' });
  const calm = await at.device({ deviceClass });
  const params = { projectId: at.projectId };
  const findings = async () => {
    const all = await at.owner.client.call(listFindings, { params });
    return Object.fromEntries(all.map(({ signal, id: _, since, at, ...finding }) => [signal, finding]));
  };
  expect(Object.keys(await findings())).toEqual(['never']);
  expect((await findings()).never).toMatchObject({ count: 2, devices: [{ id: calm.id }, { id: device.id }] });

  for (let times = 0; times < 3; times++) {
    await using _ = await at.connect(device);
    await at.untilIs(device, 'connected');
    await _.client.endAsync();
    await at.untilIs(device, 'disconnected');
  }
  const { id: bundlePinned } = await aBundle(at.world, { ...params, deviceClass });
  await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { bundlePinned } });
  await using here = await at.connect(device);
  await here.listen('commands/#');
  await here.say('events/smoke', { _alert: { severity: 'critical', text: 'Fire' } });
  await here.say('state', { celsius: 31 });
  await here.listen('target');
  const { sequence } = (await here.next('target')).payload as TargetFrame;
  await here.say('progress', { state: 'failed', sequence, code: 'boot_failed', error: 'No image' });
  const { id: commandId } = await at.owner.client.call(sendCommand, {
    params: { deviceId: device.id },
    body: { name: 'blink', args: {} },
  });
  await here.say(`results/${commandId}`, { ok: false, error: 'No lamp' });

  const named = [{ id: device.id, name: 'Boiler', tag: device.tag }];
  const one = { count: 1, devices: named, common: [] };
  await expect.poll(findings).toEqual({
    alert: {
      ...one,
      causes: [{ text: 'Fire', count: 1 }],
      alerts: expect.objectContaining({ id: 'critical:event:smoke', alerts: 1, devices: 1 }),
    },
    updateFailed: { ...one, causes: [{ text: 'boot_failed: No image', count: 1 }] },
    commandFailed: { ...one, causes: [{ text: 'blink: No lamp', count: 1 }] },
    quarantine: { ...one, causes: [{ text: expect.stringMatching(/^celsius /), count: 1 }] },
    flapping: { ...one, causes: [] },
    never: { ...one, devices: [{ id: calm.id, name: calm.name, tag: calm.tag }], causes: [] },
  });

  const other = await at.world.aDeveloper();
  const elsewhere = { params: { projectId: (await at.world.aProject(other)).id } };
  expect(await other.client.call(listFindings, elsewhere)).toEqual([]);

  for (const signal of deviceSignals.filter(one => one !== 'quiet')) {
    const { items } = await at.owner.client.call(listDevices, { query: { ...params, signal } });
    expect(items.map(({ id }) => id)).toEqual([device.id]);
  }
  const ids = [device.id, calm.id].join(',');
  const pulses = await at.owner.client.call(listDevicePulses, { params, query: { ids } });
  const [trouble, peace] = [device, calm].map(({ id }) => pulses.find(one => one.id === id));
  expect(trouble?.presence.changes.map(({ connected }) => connected)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(trouble?.signals.toSorted((a, b) => a.signal.localeCompare(b.signal))).toEqual([
    { signal: 'alert', count: 1, text: 'Fire' },
    { signal: 'commandFailed', count: 1, text: 'blink' },
    { signal: 'flapping', count: 7 },
    { signal: 'quarantine', count: 1 },
    { signal: 'updateFailed', count: 1, text: 'No image' },
  ]);
  expect(peace).toMatchObject({ presence: { connectedAtBegin: false, changes: [] }, signals: [] });

  const names = await at.owner.client.call(listDeviceNames, { params, query: { ids } });
  expect(names).toEqual([...named, { id: calm.id, name: calm.name, tag: calm.tag }]);
  expect(await other.client.call(listDeviceNames, { ...elsewhere, query: { ids } })).toEqual([]);

  const stolen = await other.client.call(listDevicePulses, { ...elsewhere, query: { ids } });
  expect(stolen).toEqual([]);
});

it('a device that only makes HTTP calls is not reported as never connected', async () => {
  const calling = await at.device();
  const silent = await at.device();
  const findings = () => at.owner.client.call(listFindings, { params: { projectId: at.projectId } });
  const never = async () => (await findings()).find(({ signal }) => signal === 'never');
  expect((await never())?.devices.map(({ id }) => id)).toEqual(
    expect.arrayContaining([calling.id, silent.id]),
  );
  const before = (await never())?.count ?? 0;
  await at.world.platform.db.run(sql`
    update device_presence set last_message_at = now() where device_id = ${calling.id}`);
  expect(await never()).toMatchObject({ count: before - 1 });
  expect((await never())?.devices.map(({ id }) => id)).not.toContain(calling.id);
});

/** A project with devices of one class, and its findings. */
async function aTroubledProject(names: readonly string[]) {
  const { id: projectId } = await at.world.aProject(at.owner);
  const params = { projectId };
  await aClass(at.owner, projectId, { id: 'lamp' });
  // In a fleet of one class, the class would say nothing.
  await aDevice(at.owner, projectId);
  const devices: Device[] = [];
  for (const name of names) devices.push(await aDevice(at.owner, projectId, { deviceClass: 'lamp', name }));
  return {
    params,
    devices,
    raise: (place: number, given: Parameters<typeof anAlert>[2]) =>
      anAlert(at.world, { projectId, deviceId: devices[place]?.id ?? '' }, given),
    findings: async (by = at.owner) =>
      (await by.client.call(listFindings, { params })).filter(({ signal }) => signal !== 'never'),
  };
}

it('critical alerts are one finding for each cause, with what their devices have in common', async () => {
  const { raise, findings } = await aTroubledProject(['Hall', 'Attic', 'Cellar']);
  for (const place of [0, 1, 2]) await raise(place, { severity: 'critical', key: 'smoke', text: 'Smoke' });
  await raise(0, { severity: 'critical', moduleId: 'frost-guard', key: 'frost', text: 'Frost' });
  await raise(1, { severity: 'warning', key: 'battery', text: 'Battery low' });
  const all = await findings();
  expect(all.map(({ id, count }) => [id, count])).toEqual([
    ['alert:critical:module:frost-guard', 1],
    ['alert:critical:event:smoke', 3],
    ['alert', 1],
  ]);
  expect(all[0]).toMatchObject({ devices: [{ name: 'Hall' }], common: [] });
  expect(all[1]).toMatchObject({
    alerts: { devices: 3, newest: { deviceName: 'Cellar' } },
    common: [{ fact: 'class', value: 'lamp', count: 3, of: 3 }],
  });
  const alertId = all[0]?.alerts?.newest.id ?? '';
  await at.owner.client.call(changeAlert, { params: { alertId }, body: { state: 'acknowledged' } });
  expect((await findings()).map(({ id }) => id)).toEqual(['alert:critical:event:smoke', 'alert']);
});

it('what fewer than nine in ten of the devices share is not in common', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `Lamp ${n}`);
  const { params, devices, raise, findings } = await aTroubledProject(names);
  for (const place of names.keys()) await raise(place, { severity: 'critical' });
  const common = async () => (await findings())[0]?.common.map(({ fact, count, of }) => [fact, count, of]);
  const follow = (place: number, channel: string) =>
    at.owner.client.call(editDevice, { params: { deviceId: devices[place]?.id ?? '' }, body: { channel } });
  await at.owner.client.call(createChannel, { body: { ...params, deviceClass: 'lamp', name: 'beta' } });
  for (const place of names.keys()) await follow(place, place === 0 ? '' : 'beta');
  expect(await common()).toEqual([
    ['class', 10, 10],
    ['channel', 9, 10],
  ]);
  await follow(1, '');
  expect(await common()).toEqual([['class', 10, 10]]);
});

it('a person hides a finding until it happens again, and nobody else', async () => {
  const { params, raise, findings } = await aTroubledProject(['Hall', 'Attic']);
  const ida = await at.world.aDeveloper();
  await at.owner.client.call(addMember, { params, body: { email: ida.developer.email, role: 'viewer' } });
  await raise(0, { severity: 'critical', text: 'Smoke' });
  const [seen] = await findings(ida);
  const findingId = seen?.id ?? '';
  const hide = () =>
    ida.client.call(hideFinding, { params: { ...params, findingId }, body: { at: seen?.at ?? '' } });
  await hide();
  expect(await findings(ida)).toEqual([{ ...seen, isHidden: true }]);
  expect(await findings()).toEqual([seen]);
  await ida.client.call(showFinding, { params: { ...params, findingId } });
  expect(await findings(ida)).toEqual([seen]);
  await hide();
  at.world.pass(minuteMs);
  await raise(1, { severity: 'critical', text: 'Smoke' });
  expect(await findings(ida)).toMatchObject([{ id: findingId, count: 2 }]);
  expect((await findings(ida))[0]?.isHidden).toBeUndefined();
});

it('a hidden finding returns when an alert comes back that was resolved, critical or not', async () => {
  for (const severity of ['critical', 'warning'] as const) {
    const { params, raise, findings } = await aTroubledProject(['Hall']);
    const { id: alertId } = await raise(0, { severity, key: 'smoke', text: 'Smoke' });
    const [seen] = await findings();
    const hiding = { params: { ...params, findingId: seen?.id ?? '' }, body: { at: seen?.at ?? '' } };
    await at.owner.client.call(hideFinding, hiding);
    await at.owner.client.call(changeAlert, { params: { alertId }, body: { state: 'resolved' } });
    expect(await findings()).toEqual([]);
    at.world.pass(minuteMs);
    await at.owner.client.call(changeAlert, { params: { alertId }, body: { state: 'open' } });
    const [back] = await findings();
    expect(back).toMatchObject({ id: seen?.id, since: seen?.since, count: 1 });
    expect(back?.isHidden).toBeUndefined();
  }
});

it('a hidden finding returns with another alert of its device, also while an older one repeats', async () => {
  const { params, raise, findings } = await aTroubledProject(['Hall']);
  const { id: older } = await raise(0, { severity: 'critical', moduleId: 'frost-guard', key: 'inside' });
  const [seen] = await findings();
  const hiding = { params: { ...params, findingId: seen?.id ?? '' }, body: { at: seen?.at ?? '' } };
  await at.owner.client.call(hideFinding, hiding);
  at.world.pass(minuteMs);
  await raise(0, { severity: 'critical', moduleId: 'frost-guard', key: 'outside' });
  at.world.pass(minuteMs);
  expect(await raise(0, { severity: 'critical', moduleId: 'frost-guard', key: 'inside' })).toMatchObject({
    id: older,
    isNew: false,
  });
  const [back] = await findings();
  expect(back).toMatchObject({ id: seen?.id, count: 2 });
  expect(back?.isHidden).toBeUndefined();
});

it('a person hides so many findings at most, and then the first is forgotten', async () => {
  const { params, raise, findings } = await aTroubledProject(['Hall']);
  await raise(0, { severity: 'critical', text: 'Smoke' });
  const [seen] = await findings();
  const body = { at: seen?.at ?? '' };
  const hide = (findingId: string) =>
    at.owner.client.call(hideFinding, { params: { ...params, findingId }, body });
  await hide(seen?.id ?? '');
  for (let n = 1; n < hiddenMax; n++) await hide(`other:${n}`);
  expect(await findings()).toMatchObject([{ isHidden: true }]);
  at.world.pass(minuteMs);
  await hide('one more');
  expect((await findings())[0]?.isHidden).toBeUndefined();
});
