import {
  type FailureClass,
  type InstalledFrame,
  type ProgressFrame,
  type UpdateState,
  type UpdateWait,
  updateCodes,
} from '#contract/deviceProtocol.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';

/** Delays between tries: doubling from a minute for a transient failure, fixed for one that is `unable`. */
const backoffMaxMs = 6 * hourMs;
const unableMs = 6 * hourMs;
const postponedMs = { default: dayMs, most: 30 * dayMs };
/** How often an update whose file did not arrive intact is tried in total. */
export const integrityTriesMax = 3;

/** The progress of a device with its target. */
export interface Course {
  sequence: number;
  bundleId: string | null;
  state: UpdateState;
  waitsFor: UpdateWait | null;
  component: string | null;
  percent: number | null;
  failure: FailureClass | null;
  code: string | null;
  error: string | null;
  attempts: number;
  backoffs: number;
  issue: number;
  retryAt: Date | null;
}

/** A report of a device. */
export type Said =
  | { what: 'progress'; frame: ProgressFrame; at: Date }
  | { what: 'installed'; frame: InstalledFrame; at: Date };

/**
 * The course after a report; undefined if nothing changes, because the report is about another target or says nothing
 * new. `chance`, from 0 to 1, spreads the retries of devices that failed together.
 */
export function advance(course: Course, said: Said, chance: number): Course | undefined {
  const { sequence } = said.frame;
  if (course.bundleId === null || (sequence !== undefined && sequence !== course.sequence)) return undefined;
  return said.what === 'installed' ? installed(course, said, chance) : progress(course, said, chance);
}

/** An update is done only when the device reports the bundle of the target as installed. */
function installed(
  course: Course,
  { frame, at }: Said & { what: 'installed' },
  chance: number,
): Course | undefined {
  const { state, attempts, bundleId, sequence, issue } = course;
  if (frame.bundleId === bundleId)
    return state === 'done' ? undefined : { ...begin(course, 'done'), backoffs: 0 };
  if (frame.bundleId === undefined) return undefined;
  const rolledBack = { code: 'rolled_back', at, chance };
  if (state === 'rebooting' || state === 'confirming') return fail(course, rolledBack);
  if (state !== 'done') return undefined;
  // A report about this target means that the device rolled it back. Any other means that the device was set up again,
  // so it gets the target again.
  if (frame.sequence === sequence || attempts + 1 >= integrityTriesMax) return fail(course, rolledBack);
  return { ...begin(course, 'waiting'), attempts: attempts + 1, issue: issue + 1 };
}

/** With these codes, an update that was done no longer is. */
const undone: ReadonlySet<string | undefined> = new Set(['rolled_back', 'boot_failed', 'self_test_failed']);

function progress(
  course: Course,
  { frame, at }: Said & { what: 'progress' },
  chance: number,
): Course | undefined {
  const { state, percent, component, code, waitsFor } = frame;
  const isDone = course.state === 'done';
  if (state === 'failed' && code !== 'declined' && code !== 'postponed')
    return isDone && !undone.has(code) ? undefined : unlessKnown(course, frame, { at, chance });
  if (isDone) return undefined;
  if (state === 'declined' || code === 'declined') return decline(course, frame);
  if (state === 'postponed' || code === 'postponed') return postpone(course, frame, at);
  // Until `installed` is reported, the update is not confirmed.
  const next = state === 'done' ? 'confirming' : (state as Exclude<typeof state, 'failed'>);
  const begun = {
    ...begin(course, next as UpdateState),
    component: component ?? null,
    // As it is stored: the database refuses what is too small, and a repeated report changes nothing.
    percent: percent === undefined ? null : Math.fround(percent),
    waitsFor: (next === 'ready' && waitsFor) || null,
  };
  const isKnown =
    course.state === next &&
    course.component === begun.component &&
    course.percent === begun.percent &&
    course.waitsFor === begun.waitsFor &&
    course.code === null;
  return isKnown ? undefined : begun;
}

function decline(course: Course, { error }: ProgressFrame): Course | undefined {
  if (course.state === 'declined') return undefined;
  return {
    ...begin(course, 'declined'),
    failure: 'choice',
    code: 'declined',
    error: error ?? null,
  };
}

/** The update is ready, and the device is asked again at the time it named. */
function postpone(course: Course, { error, until }: ProgressFrame, at: Date): Course | undefined {
  const given = until === undefined ? postponedMs.default : new Date(until).getTime() - at.getTime();
  const retryAt = new Date(at.getTime() + Math.min(Math.max(given, minuteMs), postponedMs.most));
  if (course.code === 'postponed' && course.state === 'ready' && until === undefined) return undefined;
  if (course.code === 'postponed' && course.retryAt?.getTime() === retryAt.getTime()) return undefined;
  return {
    ...begin(course, 'ready'),
    failure: 'choice',
    code: 'postponed',
    error: error ?? null,
    retryAt,
  };
}

function unlessKnown(course: Course, { code, error }: ProgressFrame, more: { at: Date; chance: number }) {
  const isKnown =
    course.state === 'failed' && course.code === (code ?? null) && course.error === (error ?? null);
  return isKnown ? undefined : fail(course, { code, error, ...more });
}

/** Ends a try; the class of the failure decides when the next one is due. */
export function fail(
  course: Course,
  {
    code,
    error,
    at,
    chance,
  }: { code?: string | undefined; error?: string | undefined; at: Date; chance: number },
): Course {
  const known: Readonly<Record<string, FailureClass>> = updateCodes;
  const failure = known[code ?? ''] ?? 'final';
  const attempts = course.attempts + (failure === 'integrity' || failure === 'final' ? 1 : 0);
  const backoffs = failure === 'transient' ? course.backoffs + 1 : 0;
  const waitMs = {
    transient: Math.min(minuteMs * 2 ** Math.min(backoffs - 1, 20), backoffMaxMs),
    unable: unableMs,
    integrity: attempts < integrityTriesMax ? minuteMs : undefined,
    final: undefined,
    choice: undefined,
  }[failure];
  return {
    ...begin(course, code === 'lost' ? 'lost' : 'failed'),
    failure,
    code: code ?? null,
    error: error ?? null,
    attempts,
    backoffs,
    retryAt: waitMs === undefined ? null : new Date(at.getTime() + waitMs * (0.75 + chance / 2)),
  };
}

/** Changes the state and clears everything that was reported about the previous one. */
export function begin<C extends Course>(course: C, state: UpdateState): C {
  const nothing = {
    waitsFor: null,
    component: null,
    percent: null,
    failure: null,
    code: null,
    error: null,
    retryAt: null,
  };
  return { ...course, state, ...nothing };
}

/** States that share a time limit, in minutes connected. `limit` is its column in the class. */
export const clocks = [
  { states: ['offered'], limit: 'offer_minutes', code: 'timeout' },
  { states: ['accepted', 'downloading', 'verifying'], limit: 'download_minutes', code: 'timeout' },
  { states: ['installing'], limit: 'install_minutes', code: 'timeout' },
  { states: ['rebooting', 'confirming'], limit: 'reboot_minutes', code: 'lost' },
] as const satisfies readonly { states: readonly UpdateState[]; limit: string; code: string }[];

export const clockOf = (state: UpdateState) =>
  clocks.find(({ states }) => (states as readonly UpdateState[]).includes(state));
