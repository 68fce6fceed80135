import { expect, it } from 'vitest';
import { readDeviceStateHistory } from '#contract/stateHistory.ts';
import { hourMs } from '#rules/time/durations.ts';
import { aRuleWorld } from '#test/ruleWorld.ts';
import { rolledUp } from '#test/stateReports.ts';
import { until } from '#test/until.ts';

const at = aRuleWorld();

/** The smallest number that JSON can carry: any share of it is too small for a number. */
const tiny = 5e-324;

it('rules go on when a device reports a number whose mean is too small for a number', async () => {
  const [odd, hot] = [await at.aSensor(), await at.aSensor()];
  await at.aRule({ condition: 'mean(state.temperature, 5) > -1.0' }, odd.deviceClass);
  await at.aRule({ condition: 'state.temperature > 30' }, hot.deviceClass);
  await odd.here.say('state', { temperature: tiny });
  await odd.here.say('state', { temperature: 0 });
  await hot.here.say('state', { temperature: 31 });
  const raised = (deviceId: string) => until(async () => (await at.alertsOf(deviceId))[0]);
  expect(await raised(hot.device.id)).toMatchObject({ text: 'It is 31 °C' });
  await raised(odd.device.id);
});

it('a history shows a mean that is too small for a number as zero, rolled up or not', async () => {
  const { device, here } = await at.aSensor();
  for (const temperature of [tiny, 0, 0]) await here.say('state', { temperature });
  const now = at.world.now().getTime();
  const [begin, end] = [now - hourMs, now + hourMs].map(time => new Date(time).toISOString());
  const query = { begin: begin ?? '', end: end ?? '', points: 1 };
  const read = async () => {
    const { series } = await at.owner.client.call(readDeviceStateHistory, {
      params: { deviceId: device.id },
      query,
    });
    return series.map(({ points }) => points.map(({ min, mean, max, count }) => [min, mean, max, count]));
  };
  const expected = [[[0, 0, tiny, 3]]];
  expect(await read()).toEqual(expected);
  await rolledUp(at);
  expect(await read()).toEqual(expected);
});
