/**
 * The progress of a rollout, with times in milliseconds. The rules are pure functions; the server stores the course in
 * rows.
 */
export interface RolloutCourse {
  state: 'draft' | 'running' | 'paused' | 'finished' | 'stopped' | 'superseded';
  steps: readonly CourseStep[];
  /** The current step, starting at 0. */
  step: number;
  /** Since when the current step is settled; its soak time starts then. */
  settledAtMs: number | undefined;
  soakMs: number;
  pausedBy: string | undefined;
}

interface CourseStep {
  percent: number;
  startsBy: 'itself' | 'hand';
  startedAtMs?: number | undefined;
  endedAtMs?: number | undefined;
}

/** The counts of the current step and those before it. */
export interface StepCounts {
  /** Devices of the step that are not admitted or not offered the bundle yet. */
  remaining: number;
  admitted: number;
  /** Devices that are settled, or connected and offered the bundle. Disconnected devices are in no denominator. */
  reached: number;
  settled: number;
}

/** In percent of the devices reached. */
export const stepSettledAt = 95;

export type CourseAct = 'start' | 'pause' | 'resume' | 'nextStep' | 'stop' | 'supersede';

/** The course after an act; undefined if the act is not possible. */
export function act(course: RolloutCourse, what: CourseAct, nowMs: number): RolloutCourse | undefined {
  const { state } = course;
  const isUnfinished = state === 'draft' || state === 'running' || state === 'paused';
  switch (what) {
    case 'start':
      return state === 'draft' ? beginStep({ ...course, state: 'running' }, 0, nowMs) : undefined;
    case 'pause':
      return state === 'running' ? pause(course, 'person') : undefined;
    case 'resume':
      return state === 'paused'
        ? { ...course, state: 'running', pausedBy: undefined, settledAtMs: undefined }
        : undefined;
    case 'nextStep':
      return state === 'running' && course.step + 1 < course.steps.length
        ? beginStep(course, course.step + 1, nowMs)
        : undefined;
    case 'stop':
      return isUnfinished ? { ...course, state: 'stopped', pausedBy: undefined } : undefined;
    case 'supersede':
      return isUnfinished || state === 'stopped'
        ? { ...course, state: 'superseded', pausedBy: undefined }
        : undefined;
  }
}

/** The course of the same rollout at a later time, given the current counts. `gate`: a closed gate. */
export function advance(
  course: RolloutCourse,
  counts: StepCounts,
  gate: string | undefined,
  nowMs: number,
): RolloutCourse {
  if (course.state !== 'running') return course;
  if (gate !== undefined) return pause(course, gate);
  if (!isSettled(counts)) return { ...course, settledAtMs: undefined };
  const settledAtMs = course.settledAtMs ?? nowMs;
  const settled = { ...course, settledAtMs };
  // A step without devices has nothing to wait for.
  const isOver = counts.admitted === 0 || nowMs >= settledAtMs + course.soakMs;
  if (!isOver) return settled;
  const next = course.steps[course.step + 1];
  if (!next) return endStep({ ...settled, state: 'finished' }, nowMs);
  return next.startsBy === 'itself' ? beginStep(settled, course.step + 1, nowMs) : settled;
}

/** While all devices of the step are disconnected, nothing is known about it. */
function isSettled({ remaining, admitted, reached, settled }: StepCounts): boolean {
  if (remaining > 0) return false;
  if (admitted === 0) return true;
  return reached > 0 && settled * 100 >= reached * stepSettledAt;
}

const pause = (course: RolloutCourse, by: string): RolloutCourse => ({
  ...course,
  state: 'paused',
  pausedBy: by,
  settledAtMs: undefined,
});

function beginStep(course: RolloutCourse, step: number, nowMs: number): RolloutCourse {
  const ended = step === course.step ? course : endStep(course, nowMs);
  const steps = ended.steps.map((one, at) => (at === step ? { ...one, startedAtMs: nowMs } : one));
  return { ...ended, step, steps, settledAtMs: undefined };
}

function endStep(course: RolloutCourse, nowMs: number): RolloutCourse {
  const steps = course.steps.map((one, at) => (at === course.step ? { ...one, endedAtMs: nowMs } : one));
  return { ...course, steps };
}
