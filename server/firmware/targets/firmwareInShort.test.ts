import { expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { listDevicePulses } from '#contract/fleet.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

async function inShort(...devices: { id: string }[]) {
  const ids = devices.map(({ id }) => id).join(',');
  const pulses = await at.owner.client.call(listDevicePulses, {
    params: { projectId: at.projectId },
    query: { ids },
  });
  const byId = new Map(pulses.map(({ id, firmware }) => [id, firmware]));
  return devices.map(({ id }) => byId.get(id));
}

it('rows show the reported version, and which versions an update leads from and to until it is over', async () => {
  const device = await at.device();
  const silent = await at.device({ deviceClass: device.deviceClass });
  const { id: bundlePinned, name } = await aBundle(at.world, device, { main: '3.3.0', radio: '1.0.9' });
  await using here = await at.connect(device);
  const installed = [
    { component: 'radio', version: '1.0.9' },
    { component: 'main', version: '3.2.0' },
  ];
  await here.say('installed', { components: installed });
  expect(await inShort(device, silent)).toEqual([{ version: '1.0.9' }, {}]);

  await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { bundlePinned } });
  await here.listen('target');
  const { sequence } = (await here.next('target')).payload as TargetFrame;
  await here.say('progress', { state: 'downloading', sequence, component: 'main', percent: 62 });
  // The version of the component that the update changes.
  const moving = { bundle: { id: bundlePinned, name }, state: 'downloading', component: 'main', percent: 62 };
  expect(await inShort(device)).toEqual([{ version: '3.2.0', update: { ...moving, version: '3.3.0' } }]);

  await here.say('progress', { state: 'failed', sequence, code: 'boot_failed' });
  expect(await inShort(device)).toEqual([{ version: '1.0.9' }]);
});

it('an update with a component that the device does not have names no installed version', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.say('installed', { components: [{ component: 'main', version: '3.2.0' }] });
  const { id: bundlePinned, name } = await aBundle(at.world, device, { main: '3.2.0', radio: '1.0.0' });
  await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { bundlePinned } });
  await here.listen('target');
  const { sequence } = (await here.next('target')).payload as TargetFrame;
  await here.say('progress', { state: 'ready', sequence, waitsFor: 'battery' });
  expect(await inShort(device)).toEqual([
    { update: { bundle: { id: bundlePinned, name }, state: 'ready', waitsFor: 'battery', version: '1.0.0' } },
  ]);
});
