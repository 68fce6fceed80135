import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();
const main = (version: string) => ({ bundleId: 'bnd_1', components: [{ component: 'main', version }] });

it('the log of a device has each change of its installed versions, and each phase of an installation', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  for (const version of ['1.0', '1.0', '1.1']) await here.say('installed', main(version));
  for (const percent of [0, 20, 100])
    await here.say('progress', { state: 'downloading', percent, component: 'main' });
  await Promise.all([
    here.say('progress', { state: 'installing', component: 'main' }),
    here.say('progress', { state: 'failed', component: 'main', error: 'No room' }),
  ]);
  await here.say('installed', main('1.1'));
  await at.untilLogged(device, 'Firmware: failed');
  const lines = (await at.logOf(device))
    .filter(({ action }) => action === 'installed' || action === 'progress')
    .map(({ text, level }) => [text, level]);
  expect(lines.toReversed()).toEqual([
    ['Installed firmware: main 1.0 (bundle bnd_1)', 2],
    ['Installed firmware: main 1.1 (bundle bnd_1)', 2],
    ['Firmware: downloading (main)', 2],
    ['Firmware: installing (main)', 2],
    ['Firmware: failed (main): No room', 1],
  ]);
});

it('a number that the database has no place for is rejected, and does not hold the device up', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.listen('rejected');
  const text = '{"state":"downloading","percent":0e-99999}';
  await here.client.publishAsync(`d/${device.id}/progress`, text, { qos: 1 });
  expect((await here.next('rejected')).payload).toMatchObject({ topic: 'progress', reason: 'MALFORMED' });
  await here.say('progress', { state: 'downloading', percent: 1 });
  expect((await at.stateOf(device)).progress).toMatchObject({ percent: 1 });
});

it('a device that reports something different each time does not fill its log', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  for (let n = 0; n < 60; n++) await here.say('installed', main(`1.${n}`));
  await here.client.endAsync();
  await at.untilLogged(device, 'Disconnected');
  const lines = (await at.logOf(device)).filter(({ action }) => action === 'installed');
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.length).toBeLessThan(40);
});
