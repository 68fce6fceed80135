import { expect, it } from 'vitest';
import { causesForMs, causesOfReport } from './causesOfReport.ts';

const at = new Date('2026-11-25T08:00:00.000Z');
const report = { at, before: { on: true, level: 3 }, after: { on: false, level: 3 } };
const change = (causedBy: string[], patch: Record<string, never> | object, msAgo: number | null = 1000) => ({
  ...{ causedBy, patch: patch as Record<string, never> },
  sentAt: msAgo === null ? null : new Date(at.getTime() - msAgo),
});

it.each([
  ['that says the value has its causes', [change(['run_1'], { on: false })], ['run_1']],
  ['that says a part of it has them', [change(['run_1'], { on: false, note: 'x' })], ['run_1']],
  ['is not caused by another value', [change(['run_1'], { on: true })], []],
  ['is not caused by a value that it does not change', [change(['run_1'], { level: 3 })], []],
  ['faster than it is noted that it was told has them', [change(['run_1'], { on: false }, null)], ['run_1']],
  ['at the last moment has them', [change(['run_1'], { on: false }, causesForMs)], ['run_1']],
  ['later than that has another cause', [change(['run_1'], { on: false }, causesForMs + 1)], []],
  [
    'of several has the longest chain',
    [change(['run_1'], { on: false }), change(['run_2', 'run_3'], { on: false }), change([], { on: false })],
    ['run_2', 'run_3'],
  ],
])('a report %s', (_, open, causes) => {
  expect(causesOfReport(report, open)).toEqual(causes);
});
