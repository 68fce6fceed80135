import { describe, expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

describe('a message of the wrong shape', () => {
  it.each([
    ['results/cmd_1', { ok: false }, '/error', 'error is required.'],
    ['results/cmd_1', { ok: 1 }, '/ok', 'ok must be one of true, false.'],
    ['results/cmd_1', { ok: true, value: 1 }, '/value', 'value is not allowed.'],
    ['progress', { state: 'done', percent: 101 }, '/percent', 'percent must be at most 100.'],
    [
      'events/door',
      { _alert: { severity: 'loud', text: 'x' } },
      '/_alert/severity',
      '_alert.severity must be one of "info", "warning", "critical".',
    ],
    ['entities', [{ name: 'a', class: '' }], '/0/class', '0.class must have at least 1 character.'],
    ['state', [], '', 'The message must be an object.'],
  ])('on %s is answered with what is wrong, in a sentence: %j', async (topic, value, place, text) => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('#');
    await here.say(topic, value);
    const rejected = await here.next(topic === 'state' ? 'state/rejected' : 'rejected');
    expect(rejected.payload).toMatchObject({ reason: 'INVALID_FIELDS', faults: [{ at: place, text }] });
  });
});
