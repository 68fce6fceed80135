import { describe, expect, it } from 'vitest';
import type { ProgressFrame } from '#contract/deviceProtocol.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { advance, type Course, type Said } from './advance.ts';

const at = new Date('2026-11-20T08:30:00.000Z');
const begun: Course = {
  sequence: 4,
  bundleId: 'bnd_1',
  state: 'downloading',
  waitsFor: null,
  component: null,
  percent: null,
  failure: null,
  code: null,
  error: null,
  attempts: 0,
  backoffs: 0,
  issue: 1,
  retryAt: null,
};
const progress = (frame: Partial<ProgressFrame>): Said => ({
  what: 'progress',
  at,
  frame: { state: 'failed', sequence: 4, ...frame },
});
const installed = (bundleId: string | undefined, sequence?: number): Said => ({
  what: 'installed',
  at,
  frame: { components: [], ...(bundleId && { bundleId }), ...(sequence && { sequence }) },
});
const advanced = (course: Course, ...said: Said[]) =>
  said.reduce((now, one) => advance(now, one, 0.5) ?? now, course);
/** Minutes until the next try. */
const waitOf = ({ retryAt }: Course) => retryAt && (retryAt.getTime() - at.getTime()) / minuteMs;

describe('a failed update', () => {
  it('with a transient error waits a minute, then twice as long each time, up to six hours', () => {
    const waits: unknown[] = [];
    let course = begun;
    for (let i = 0; i < 12; i++) {
      course = advanced({ ...course, state: 'downloading' }, progress({ code: 'network' }));
      waits.push(waitOf(course));
    }
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(waits.slice(-2)).toEqual([360, 360]);
    expect(course).toMatchObject({ failure: 'transient', attempts: 0 });
  });

  it.each([
    ['no_space', 'unable', 360],
    ['hash_mismatch', 'integrity', 1],
    ['boot_failed', 'final', null],
    ['made_up', 'final', null],
    [undefined, 'final', null],
  ])('with %s is %s', (code, failure, wait) => {
    const course = advanced(begun, progress(code === undefined ? {} : { code }));
    expect([course.state, course.failure, waitOf(course)]).toEqual(['failed', failure, wait]);
  });

  it('whose file did not arrive intact is tried three times', () => {
    let course = begun;
    const waits = [1, 2, 3].map(() => {
      course = advanced({ ...course, state: 'verifying' }, progress({ code: 'hash_mismatch' }));
      return waitOf(course);
    });
    expect(waits).toEqual([1, 1, null]);
  });
});

describe('a report', () => {
  it.each<[string, Said]>([
    ['of a phase', progress({ state: 'downloading', percent: 3 })],
    ['of a failure', progress({ code: 'network', error: 'No route' })],
    ['of a refusal', progress({ state: 'declined' })],
    ['of a delay', progress({ state: 'postponed', until: '2026-11-21T08:30:00.000Z' })],
    ['of a delay without an end', progress({ state: 'postponed' })],
    ['of what is installed', installed('bnd_1', 4)],
  ])('%s that comes twice changes nothing the second time', (_, said) => {
    expect(advance(advanced(begun, said), said, 0.1)).toBeUndefined();
  });

  it('about another target changes nothing', () => {
    for (const sequence of [3, 5]) expect(advance(begun, progress({ sequence }), 0)).toBeUndefined();
    expect(advance(begun, installed('bnd_1', 3), 0)).toBeUndefined();
    expect(advance({ ...begun, bundleId: null }, progress({}), 0)).toBeUndefined();
  });

  it('without a sequence is about the current target', () => {
    expect(advance(begun, installed('bnd_1'), 0)).toMatchObject({ state: 'done' });
  });

  it('that postpones an update has it offered again at that time, after a month at most', () => {
    const far = advanced(begun, progress({ state: 'postponed', until: '2027-11-20T08:30:00.000Z' }));
    expect([far.state, far.code, waitOf(far)]).toEqual(['ready', 'postponed', 30 * 24 * 60]);
  });

  it('of the previous bundle, after the reboot or once the update was done, means a rollback', () => {
    for (const state of ['rebooting', 'confirming', 'done'] as const)
      expect(advanced({ ...begun, state }, installed('bnd_0', 4))).toMatchObject({ code: 'rolled_back' });
    expect(advance({ ...begun, state: 'installing' }, installed('bnd_0'), 0)).toBeUndefined();
  });

  it('of a device that was set up again makes it get the target again, but not endlessly', () => {
    const done: Course = { ...begun, state: 'done' };
    const again = advanced(done, installed('bnd_0'));
    expect(again).toMatchObject({ state: 'waiting', issue: 2, attempts: 1 });
    expect(advanced({ ...done, attempts: 2 }, installed('bnd_0'))).toMatchObject({ state: 'failed' });
  });
});
