import { pathOf } from '#contract/client.ts';
import { readRollout } from '#contract/rollout.ts';
import { advance, type RolloutCourse } from '#rules/firmware/rolloutCourse.ts';
import { publishLive } from '#server/api/http/live.ts';
import { pointChannel } from '#server/firmware/channels/pointChannel.ts';
import {
  admitDevices,
  lockDevices,
  sampleProgress,
  withdrawDevices,
} from '#server/firmware/outcomes/admitDevices.ts';
import { type RolloutEvent, recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import { saveCourse } from '#server/firmware/outcomes/rolloutRows.ts';
import { supersedeRollouts } from '#server/firmware/outcomes/supersede.ts';
import { publishTargets, retarget } from '#server/firmware/targets/retarget.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { courseOf, savedCourse } from './course.ts';
import { closedGate, gatesOf } from './gates.ts';
import { causesOf } from './report.ts';
import { stepCounts } from './stepCounts.ts';
import { countsOf, lockRollout, type RolloutRecord } from './store.ts';
import { batchMax, dueDevices, failedOf, nextDevices, notBegun, roomOf, whoReturned } from './whoIsNext.ts';

interface Advanced {
  /** Devices that must now run something else. */
  told: string[];
  isChanged: boolean;
  /** True if the rollout must be advanced again at once. */
  hasMore: boolean;
}

/**
 * Advances a rollout once: admits its next devices, ends its step, or pauses it. Runs in one transaction that locks the
 * rollout, so that concurrent or killed calls change nothing twice. Returns whether to call it again at once.
 */
export async function advanceRollout(
  platform: Pick<Platform, 'db' | 'bus' | 'clock'>,
  key: { projectId: string; rolloutId: string },
): Promise<boolean> {
  const now = platform.clock();
  const advanced = await platform.db.tx(async db => {
    const row = await lockRollout(db, key, { skipLocked: true });
    if (row?.state === 'running') return advanceRunning(db, row, now);
    if (row?.state === 'paused') return sendBack(db, row, { isOver: false, now });
    if (row?.state === 'stopped') return sendBack(db, row, { isOver: true, now });
    return undefined;
  });
  if (!advanced) return false;
  publishTargets(platform as Platform, advanced.told);
  if (advanced.isChanged)
    publishLive(platform as Platform, key.projectId, {
      kind: 'changed',
      path: pathOf(readRollout, key),
      makesOld: readRollout.makesOld,
    });
  return advanced.hasMore;
}

async function advanceRunning(db: Db, row: RolloutRecord, now: Date): Promise<Advanced> {
  const closed = closedGate(await gatesOf(db, row, now), row);
  if (closed) {
    const [most] = closed.gate === 'failures' ? await causesOf(db, row, 1) : [];
    const cause = most ? `${closed.cause} Most often: ${most.code}.` : closed.cause;
    const course = advance(courseOf(row), none, closed.gate, now.getTime());
    await saveCourse(db, row, savedCourse(row, course, { now, cause }));
    await recordEvents(db, [eventOf(row, 'paused', `Paused by a gate: ${cause}`, now)]);
    return { ...(await sendBack(db, row, { isOver: false, now })), isChanged: true };
  }
  const isFull = await admitNext(db, row, now);
  const due = await dueDevices(db, row, now);
  const told = await retarget(db, { projectId: row.projectId, deviceIds: due }, now);
  const counted = await stepCounts(db, row, { isMoreToAdmit: isFull !== 'all', now });
  const course = advance(courseOf(row), counted, undefined, now.getTime());
  const isNext = await takeCourse(db, row, course, now);
  if (course.state === 'finished') told.push(...(await finish(db, row, now)));
  const isSampled = await sampleProgress(db, row, await countsOf(db, row), now);
  const isSettledAnew = course.settledAtMs !== row.settledAt?.getTime();
  return {
    told,
    isChanged: isNext || isSampled || isSettledAnew || due.length > 0,
    hasMore: course.state === 'running' && (isNext || isFull === 'batch' || due.length === batchMax),
  };
}

const none = { remaining: 0, admitted: 0, reached: 0, settled: 0 };

/**
 * Returns `all` if no device of the step is left, `batch` if more can be admitted at once, `rate` if they have to wait.
 */
async function admitNext(db: Db, row: RolloutRecord, now: Date): Promise<'all' | 'batch' | 'rate'> {
  const returned = await whoReturned(db, row);
  if (returned.length > 0) await withdrawDevices(db, row, returned);
  const room = await roomOf(db, row, now);
  const next = await nextDevices(db, row, room + 1);
  const admitted = next.slice(0, room);
  if (admitted.length > 0) {
    await lockDevices(db, row.projectId, admitted);
    await admitDevices(db, row, admitted, now);
  }
  if (next.length <= room) return 'all';
  return room === batchMax ? 'batch' : 'rate';
}

/** Writes the course if it has changed. Returns whether the next step begins or the rollout has ended. */
async function takeCourse(db: Db, row: RolloutRecord, course: RolloutCourse, now: Date): Promise<boolean> {
  const isNext = course.step !== row.step || course.state !== row.state;
  if (isNext || course.settledAtMs !== row.settledAt?.getTime())
    await saveCourse(db, row, savedCourse(row, course, { now, cause: null }));
  if (course.step !== row.step) {
    const text = `Step ${course.step + 1} started: ${course.steps[course.step]?.percent} %.`;
    await recordEvents(db, [eventOf(row, 'step', text, now)]);
  }
  return isNext;
}

/** Points the channel at the bundle: the devices of the rollout keep it, and the others follow. */
async function finish(db: Db, row: RolloutRecord, now: Date): Promise<string[]> {
  const { projectId, channel, bundle, id: rolloutId } = row;
  const actor = row.createdBy ?? undefined;
  await recordEvents(db, [
    eventOf(row, 'finished', `Finished: channel ${channel.name} points at ${bundle.name}.`, now),
  ]);
  const text = 'Another rollout of the channel finished.';
  await supersedeRollouts(db, { projectId, channelId: channel.id }, { now, text });
  const pointed = { projectId, channelId: channel.id, bundleId: bundle.id, rolloutId, actor };
  return pointChannel(db, pointed, now);
}

/**
 * Devices that have not begun to install get their previous target; devices that are installing finish. Once the
 * rollout is over, failed devices go back as well.
 */
export async function sendBack(
  db: Db,
  row: RolloutRecord,
  { isOver, now }: { isOver: boolean; now: Date },
): Promise<Advanced> {
  const { projectId } = row;
  const first = await notBegun(db, row);
  const failed = isOver ? await failedOf(db, row) : [];
  // Installations that have begun continue during a pause and after a stop.
  if (first.length + failed.length === 0)
    return {
      told: [],
      isChanged: await sampleProgress(db, row, await countsOf(db, row), now),
      hasMore: false,
    };
  await lockDevices(db, projectId, [...first, ...failed]);
  // Queried again under the locks, because a device may have begun to install meanwhile.
  const held = new Set(first);
  const ids = (await notBegun(db, row)).filter(id => held.has(id));
  await withdrawDevices(db, row, ids);
  const told = await retarget(db, { projectId, deviceIds: [...ids, ...failed] }, now);
  await sampleProgress(db, row, await countsOf(db, row), now);
  return { told, isChanged: true, hasMore: first.length === batchMax || failed.length === batchMax };
}

const eventOf = ({ projectId, id }: RolloutRecord, kind: string, text: string, at: Date): RolloutEvent => ({
  projectId,
  rolloutId: id,
  kind,
  text,
  at,
});
