import { expect, it } from 'vitest';
import { causesForMs, causesOfReport } from './causesOfReport.ts';

const at = new Date('2026-11-25T08:00:00.000Z');
const report = { at, before: { on: true, level: 3 }, after: { on: false, level: 3 } };
const change = (causedBy: string[], patch: Record<string, never> | object, msAgo: number | null = 1000) => ({
  causedBy,
  patch: patch as Record<string, never>,
  sentAt: msAgo === null ? null : new Date(at.getTime() - msAgo),
});

it.each([
  ['of the desired value has the causes of the change', [change(['run_1'], { on: false })], ['run_1']],
  ['of a part of the desired state has them', [change(['run_1'], { on: false, note: 'x' })], ['run_1']],
  ['of another value does not have them', [change(['run_1'], { on: true })], []],
  ['of an unrelated property does not have them', [change(['run_1'], { level: 3 })], []],
  ['before the delivery is recorded has them', [change(['run_1'], { on: false }, null)], ['run_1']],
  ['at the end of the period has them', [change(['run_1'], { on: false }, causesForMs)], ['run_1']],
  ['after the period does not have them', [change(['run_1'], { on: false }, causesForMs + 1)], []],
  [
    'that matches several changes has the longest chain',
    [change(['run_1'], { on: false }), change(['run_2', 'run_3'], { on: false }), change([], { on: false })],
    ['run_2', 'run_3'],
  ],
])('a report %s', (_, open, causes) => {
  expect(causesOfReport(report, open)).toEqual(causes);
});
