import { expect, it } from 'vitest';
import { editDeviceClass } from '#contract/deviceClass.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

it('a report is accepted if it does not touch values that a stricter schema no longer allows', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  await using here = await at.connect(device);
  await here.listen('state/rejected');
  await here.say('state', { celsius: 35, mode: 'heat', legacy: 1 });
  const stateSchema = {
    properties: { celsius: { maximum: 30 }, mode: { enum: ['off', 'heat'] }, serial: { type: 'string' } },
    required: ['serial'],
    additionalProperties: false,
  };
  const params = { classId: deviceClass };
  const query = { projectId: at.projectId };
  await at.owner.client.call(editDeviceClass, { params, query, body: { stateSchema } });
  await until(async () => {
    await here.say('state', { mode: 'dry' });
    return here.heard.length > 0 ? true : undefined;
  });
  expect((await here.next('state/rejected')).payload).toMatchObject({
    faults: [{ at: '/mode', text: 'mode must be one of "off", "heat".' }],
  });
  await here.say('state', { mode: 'off' });
  expect((await at.stateOf(device)).reported).toEqual({ celsius: 35, mode: 'off', legacy: 1 });
  // The device reports the same value again.
  await here.say('state', { celsius: 35, mode: 'heat' });
  expect((await here.next('state/rejected')).payload).toMatchObject({ faults: [{ at: '/celsius' }] });
  const desired = { mode: 'heat' };
  await at.owner.client.call(writeDesired, { params: { deviceId: device.id }, body: { desired } });
  await here.say('state', { celsius: 29, legacy: null, serial: 'A1' });
  await here.say('state', { serial: null });
  expect((await here.next('state/rejected')).payload).toMatchObject({
    faults: [{ at: '', text: 'serial is required.' }],
  });
  expect((await at.stateOf(device)).reported).toEqual({ celsius: 29, mode: 'off', serial: 'A1' });
});

it('every decimal that a device can report in the steps of a schema is accepted', async () => {
  const stateSchema = { properties: { celsius: { type: 'number', multipleOf: 0.1 } } };
  const { id: deviceClass } = await at.deviceClass({ stateSchema });
  const device = await at.device({ deviceClass });
  await using here = await at.connect(device);
  await here.listen('state/rejected');
  for (const celsius of [21.7, 0.3, 19.9, 4.35, 50]) await here.say('state', { celsius });
  expect((await here.next('state/rejected')).payload).toMatchObject({
    faults: [{ at: '/celsius', text: 'celsius must be a multiple of 0.1.' }],
  });
  expect(here.heard).toHaveLength(1);
  expect((await at.stateOf(device)).reported).toEqual({ celsius: 50 });
});
