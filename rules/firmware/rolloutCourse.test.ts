import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { act, advance, type CourseAct, type RolloutCourse, type StepCounts } from './rolloutCourse.ts';
import { keepsBegun, stepsRise } from './rolloutSteps.ts';

const draft: RolloutCourse = {
  state: 'draft',
  steps: [
    { percent: 10, startsBy: 'itself' },
    { percent: 50, startsBy: 'itself' },
    { percent: 100, startsBy: 'hand' },
  ],
  step: 0,
  settledAtMs: undefined,
  soakMs: 100,
  pausedBy: undefined,
};
const counts = (settled: number, reached: number, remaining = 0): StepCounts => ({
  settled,
  reached,
  remaining,
  admitted: reached,
});
const running = act(draft, 'start', 0) ?? draft;

describe('a step', () => {
  it('is settled once 95 % of the devices reached have a result, and ends after its soak time', () => {
    expect(advance(running, counts(94, 100), undefined, 10).settledAtMs).toBeUndefined();
    const settled = advance(running, counts(95, 100), undefined, 10);
    expect(settled).toMatchObject({ step: 0, settledAtMs: 10 });
    expect(advance(settled, counts(95, 100), undefined, 109).step).toBe(0);
    const next = advance(settled, counts(95, 100), undefined, 110);
    expect(next).toMatchObject({ step: 1, settledAtMs: undefined });
    expect(next.steps[0]).toMatchObject({ startedAtMs: 0, endedAtMs: 110 });
    expect(next.steps[1]).toMatchObject({ startedAtMs: 110 });
  });

  it('restarts its soak time when a retry revokes a result', () => {
    const settled = advance(running, counts(95, 100), undefined, 10);
    const unsettled = advance(settled, counts(94, 100), undefined, 50);
    expect(advance(unsettled, counts(95, 100), undefined, 60).settledAtMs).toBe(60);
  });

  it('does not end while devices remain to be admitted, or while all of them are disconnected', () => {
    expect(advance(running, counts(5, 5, 1), undefined, 10).settledAtMs).toBeUndefined();
    const away = { remaining: 0, admitted: 5, reached: 0, settled: 0 };
    expect(advance(running, away, undefined, 10).settledAtMs).toBeUndefined();
  });

  it('ends at once without devices, and one that starts by hand waits', () => {
    const second = advance(running, counts(0, 0), undefined, 10);
    expect(second.step).toBe(1);
    const waiting = advance(second, counts(0, 0), undefined, 20);
    expect(waiting).toMatchObject({ step: 1, state: 'running', settledAtMs: 20 });
    const last = act(waiting, 'nextStep', 30);
    expect(last).toMatchObject({ step: 2 });
    expect(advance(last ?? draft, counts(0, 0), undefined, 40).state).toBe('finished');
  });

  it('is paused by a closed gate, even if all devices have succeeded', () => {
    const paused = advance(running, counts(100, 100), 'failures', 10);
    expect(paused).toMatchObject({ state: 'paused', pausedBy: 'failures' });
    expect(advance(paused, counts(100, 100), undefined, 10_000)).toEqual(paused);
  });
});

/** The states in which each act is allowed, as a model. */
const allowed: Record<CourseAct, readonly RolloutCourse['state'][]> = {
  start: ['draft'],
  pause: ['running'],
  resume: ['paused'],
  nextStep: ['running'],
  stop: ['draft', 'running', 'paused'],
  supersede: ['draft', 'running', 'paused', 'stopped'],
};
const leadsTo: Record<CourseAct, RolloutCourse['state']> = {
  start: 'running',
  pause: 'paused',
  resume: 'running',
  nextStep: 'running',
  stop: 'stopped',
  supersede: 'superseded',
};

const acts = fc.constantFrom(...(Object.keys(allowed) as CourseAct[]));
const ticks = fc.record({
  settled: fc.nat(20),
  more: fc.nat(5),
  remaining: fc.nat(1),
  gate: fc.option(fc.constantFrom('failures', 'stalled'), { nil: undefined, freq: 6 }),
});

describe('any sequence of acts and minutes', () => {
  it('behaves like the model', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(acts, ticks), fc.nat(80)), { maxLength: 60 }), events => {
        let [course, nowMs] = [draft, 0];
        for (const [event, ms] of events) {
          nowMs += ms;
          const before = course;
          if (typeof event === 'string') {
            const after = act(before, event, nowMs);
            const isLast = event === 'nextStep' && before.step === before.steps.length - 1;
            expect(after !== undefined).toBe(allowed[event].includes(before.state) && !isLast);
            course = after ?? before;
            if (after) expect(after.state).toBe(leadsTo[event]);
          } else {
            const { settled, more, remaining, gate } = event;
            course = advance(before, counts(settled, settled + more, remaining), gate, nowMs);
            if (before.state !== 'running') expect(course).toEqual(before);
            if (course.step > before.step) expect(course.steps[course.step]?.startsBy).toBe('itself');
          }
          expectSound(before, course);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** No step is repeated or skipped; each begins once and ends before the next one begins. */
function expectSound(before: RolloutCourse, after: RolloutCourse): void {
  expect(after.step - before.step).toBeGreaterThanOrEqual(0);
  expect(after.step - before.step).toBeLessThanOrEqual(1);
  expect(after.pausedBy !== undefined).toBe(after.state === 'paused');
  if (after.state === 'finished') expect(after.step).toBe(after.steps.length - 1);
  for (const [at, { startedAtMs, endedAtMs }] of after.steps.entries()) {
    const earlier = before.steps[at];
    if (earlier?.startedAtMs !== undefined) expect(startedAtMs).toBe(earlier.startedAtMs);
    if (earlier?.endedAtMs !== undefined) expect(endedAtMs).toBe(earlier.endedAtMs);
    if (at < after.step) expect(endedAtMs).toBe(after.steps[at + 1]?.startedAtMs);
    if (at > after.step) expect([startedAtMs, endedAtMs]).toEqual([undefined, undefined]);
  }
}

describe('steps', () => {
  const steps = (...percents: number[]) => percents.map(percent => ({ percent, startsBy: 'itself' }));

  it('must increase to 100 %', () => {
    expect(stepsRise(steps(1, 50, 100))).toBe(true);
    expect(stepsRise(steps(0, 100))).toBe(true);
    for (const wrong of [steps(), steps(1, 50), steps(50, 50, 100), steps(60, 50, 100)])
      expect(stepsRise(wrong)).toBe(false);
  });

  it('that have begun cannot change', () => {
    expect(keepsBegun(steps(1, 50, 100), steps(1, 70, 100), 1)).toBe(true);
    expect(keepsBegun(steps(1, 50, 100), steps(2, 50, 100), 1)).toBe(false);
    expect(keepsBegun(steps(1, 50, 100), steps(100), 2)).toBe(false);
  });
});
