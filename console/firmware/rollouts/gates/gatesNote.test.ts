import { expect, it } from 'vitest';
import { type RolloutGate, rolloutGates } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { gatesNote } from './gatesNote.ts';

const failures = { results: 0, failures: 0, seen: 0, lower: 0, upper: 100, threshold: 5, pausesAt: 3 };
const nothing: RolloutReport = { failures, causes: [], progress: [], events: [] };
const some = { ...nothing, failures: { ...failures, results: 9 } };
const open = { updated: 1, others: 1, isOpen: true };
const full = { ...some, presence: open, reboots: open, stalled: { percent: 0, isOpen: true } };

it.each([
  ['Too early to tell', rolloutGates, nothing],
  ['1 passing, 3 too early to tell', rolloutGates, some],
  ['2 passing, 2 too early to tell', rolloutGates, { ...some, presence: open }],
  ['All gates passing', rolloutGates, full],
  ['All gates passing', ['failures'], some],
  ['1 closed', rolloutGates, { ...some, stalled: { percent: 40, isOpen: false } }],
  [
    '2 closed',
    rolloutGates,
    { ...full, presence: { ...open, isOpen: false }, failures: { ...failures, results: 9, lower: 6 } },
  ],
  ['All off', [], full],
] as [string, RolloutGate[], RolloutReport][])('the gates are said to be: %s', (note, gates, report) => {
  expect(gatesNote({ gates }, report)).toBe(note);
});
