import { expect, it } from 'vitest';
import type { Command } from '#contract/command.ts';
import { roundTripOf, signalOf } from './vitalFigures.ts';

const schema = {
  type: 'object',
  properties: { radio: { type: 'object', properties: { rssi: { type: 'integer', unit: 'dBm' } } } },
};

it.each([
  [{ radio: { rssi: -61 } }, { value: '−61 dBm', note: 'good' }],
  [{ radio: { rssi: -75 } }, { value: '−75 dBm', note: 'fair' }],
  [{ radio: { rssi: -90 } }, { value: '−90 dBm', note: 'weak' }],
  [{ radio: { rssi: 'none' } }, undefined],
  [{}, undefined],
])('the signal is the property in dBm: %j', (reported, vital) =>
  expect(signalOf(schema, reported)).toEqual(vital),
);

it('without a property in dBm there is no signal', () => {
  expect(signalOf({ properties: { rssi: { type: 'integer' } } }, { rssi: -61 })).toBe(undefined);
  expect(signalOf(undefined, { rssi: -61 })).toBe(undefined);
});

it('the round trip is that of the last answered command, measured from when it was sent', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const command = (stage: Command['stage'], sentMs?: number, finishedMs?: number) =>
    ({
      name: 'blink',
      stage,
      ...(sentMs !== undefined && { sentAt: at(sentMs) }),
      ...(finishedMs !== undefined && { finishedAt: at(finishedMs) }),
    }) as Command;
  const commands = [command('sent', 9000), command('expired', 5000, 8000), command('failed', 1000, 1041)];
  expect(roundTripOf(commands).value).toBe('41 ms');
  expect(roundTripOf([command('queued')])).toEqual({ value: '–', note: 'none answered' });
  expect(roundTripOf([])).toEqual({ value: '–', note: 'no commands' });
});
