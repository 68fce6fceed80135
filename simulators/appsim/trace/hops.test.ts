import { expect, it } from 'vitest';
import type { Command } from '#contract/command.ts';
import { hopsOf, isOver, type Traced } from './hops.ts';

const tapMs = Date.UTC(2026, 0, 1);
const at = (ms: number, aheadMs = 0) => new Date(tapMs + ms + aheadMs).toISOString();

function aCommand(aheadMs: number): Traced {
  const command: Command = {
    id: 'cmd_1',
    deviceId: 'dev_1',
    name: 'blink',
    args: {},
    stage: 'done',
    sentBy: { callerType: 'user', id: 'usr_1', displayName: 'Mari' },
    createdAt: at(6, aheadMs),
    expiresAt: at(60_000, aheadMs),
    sentAt: at(8, aheadMs),
    acknowledgedAt: at(20, aheadMs),
    finishedAt: at(47, aheadMs),
  };
  const times = { tapMs, sentMs: tapMs + 2, answeredMs: tapMs + 12, toldMs: tapMs + 60 };
  return { label: 'Blink', deviceId: 'dev_1', ...times, command };
}

it('the hops of a command are listed in order, with their time since the tap', () => {
  const traced = aCommand(0);
  expect(hopsOf(traced).map(({ text, ms }) => [text, ms])).toEqual([
    ['App call arrived', 6],
    ['Command sent to the device', 8],
    ['Device acknowledged', 20],
    ['Device answered ok', 47],
    ['App notified over the stream', 60],
  ]);
  expect(isOver(traced)).toBe(true);
});

it.each([3_600_000, -3_600_000])(
  'a platform clock that is %d ms off shifts no hop by more than the duration of the call',
  aheadMs => {
    const ms = hopsOf(aCommand(aheadMs)).map(hop => hop.ms);
    const right = [6, 8, 20, 47, 60];
    for (const [i, one] of ms.entries()) expect(Math.abs(one - (right[i] ?? 0))).toBeLessThanOrEqual(10);
  },
);

it('a desired change is complete once the device reports it', () => {
  const base = { label: 'on', deviceId: 'dev_1', tapMs, desired: { patch: { on: true }, at: at(5) } };
  expect(isOver(base)).toBe(false);
  const traced: Traced = { ...base, reported: { name: 'on', at: at(40), toldMs: tapMs + 44 } };
  expect(isOver(traced)).toBe(true);
  expect(hopsOf(traced).map(({ text, code }) => [text, code].filter(Boolean).join(' '))).toEqual([
    'App call arrived',
    'Device reported on',
    'App notified over the stream',
  ]);
  traced.change = {
    deviceId: 'dev_1',
    version: 3,
    patch: { on: true },
    stage: 'reported',
    setBy: { callerType: 'user', id: 'usr_1', displayName: 'Mari' },
    calledAt: at(4),
    createdAt: at(5),
    sentAt: at(9),
    acknowledgedAt: at(21),
    reportedAt: at(38),
  };
  expect(hopsOf(traced).map(({ text, ms }) => [text, ms])).toEqual([
    ['App call arrived', 4],
    ['Sent to the device', 9],
    ['Device acknowledged', 21],
    ['Device reported', 38],
    ['App notified over the stream', 44],
  ]);
});
