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
    [
      'entities',
      [{ name: '_a', class: 'lamp' }],
      '/0/name',
      '0.name must have up to 63 letters, digits, - and _, with a letter or digit at both ends.',
    ],
    [
      'progress',
      { state: 'failed', code: 'No space' },
      '/code',
      'code must have 1 to 64 lower-case letters, digits and _.',
    ],
    [
      'progress',
      { state: 'postponed', until: '2026-11-20T08:30:00Z' },
      '/until',
      'until must be a time in UTC, such as 2026-11-20T08:30:00.000Z.',
    ],
    ['state', [], '', 'The message must be an object.'],
  ])('on %s is answered with the error in a sentence: %j', async (topic, value, place, text) => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('#');
    await here.say(topic, value);
    const rejected = await here.next(topic === 'state' ? 'state/rejected' : 'rejected');
    expect(rejected.payload).toMatchObject({ reason: 'INVALID_FIELDS', faults: [{ at: place, text }] });
  });
});
