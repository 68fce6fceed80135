import { Problem } from '#contract/problem.ts';
import { act, type CourseAct } from '#rules/firmware/rolloutCourse.ts';
import { recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import { saveCourse } from '#server/firmware/outcomes/rolloutRows.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { sendBack } from './advanceRollout.ts';
import { courseOf, savedCourse } from './course.ts';
import { lockRollout, type RolloutRecord } from './store.ts';

export interface By {
  actor: { id: string; name: string } | undefined;
  reason?: string | undefined;
  now: Date;
}

interface Key {
  projectId: string;
  rolloutId: string;
}

type PersonAct = Exclude<CourseAct, 'supersede'>;

const sentences: Record<PersonAct, { kind: string; text: (row: RolloutRecord) => string }> = {
  start: { kind: 'started', text: ({ steps: [first] }) => `Started with ${shareText(first?.percent)}` },
  pause: { kind: 'paused', text: () => 'Paused' },
  resume: { kind: 'resumed', text: () => 'Resumed' },
  nextStep: {
    kind: 'step',
    text: ({ step, steps }) => `Step ${step + 2} started manually: ${steps[step + 1]?.percent} %`,
  },
  stop: { kind: 'stopped', text: () => 'Stopped' },
};

/** A first step of 0 % takes only chosen devices. */
const shareText = (percent = 0) => (percent === 0 ? 'the chosen devices' : `${percent} %`);

/** Runs at once: the job that runs each minute would do so as well, but a person expects to see the result now. */
export function enqueueAdvance(db: Db, key: Key): Promise<void> {
  return enqueue(db, 'advanceRollout', key, { key: `advance ${key.rolloutId}` });
}

/**
 * Carries out an action on a rollout in the caller's transaction, and enqueues advancing the rollout. Returns the
 * devices that must now run something else: a pause or a stop sends devices back at once.
 */
export async function actOn(
  db: Db,
  key: Key,
  what: PersonAct,
  { actor, reason, now }: By,
): Promise<string[]> {
  const row = await lockRollout(db, key);
  if (!row) throw new Problem('ROLLOUT_NOT_FOUND');
  const after = act(courseOf(row), what, now.getTime());
  if (!after) throw new Problem('ROLLOUT_STATE');
  await saveCourse(db, row, savedCourse(row, after, { now, cause: reason ?? null }));
  const { kind, text } = sentences[what];
  const said = reason ? `${text(row)}: ${reason}` : `${text(row)}.`;
  await recordEvents(db, [{ ...key, kind, text: said, actor, at: now }]);
  const { told } =
    what === 'pause' || what === 'stop'
      ? await sendBack(db, row, { isOver: what === 'stop', now })
      : { told: [] as string[] };
  await enqueueAdvance(db, key);
  return told;
}
