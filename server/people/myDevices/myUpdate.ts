import type { answerMyUpdate, MyUpdate, readMyUpdate } from '#contract/appApi/device.ts';
import { consentLaterDaysMax } from '#contract/deviceWire.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { answerUpdate } from '#server/firmware/targets/answerUpdate.ts';
import { publishTargets } from '#server/firmware/targets/retarget.ts';
import { updateForHome } from '#server/firmware/targets/updateForHome.ts';
import { mustBeInUse } from './control.ts';

export function readUpdate({ db, row }: Call<typeof readMyUpdate>): Promise<MyUpdate | null> {
  return updateForHome(db, row);
}

/** The device learns of the answer through its target. */
export async function answer(call: Call<typeof answerMyUpdate>): Promise<MyUpdate> {
  mustBeInUse(call);
  const { db, row, body, now, platform } = call;
  if (body.answer === 'later') {
    const waitMs = new Date(body.until).getTime() - now.getTime();
    if (waitMs <= 0 || waitMs > consentLaterDaysMax * dayMs)
      throw new Problem('INVALID_FIELDS', { fields: { until: 'OUT_OF_RANGE' } });
  }
  const current = await updateForHome(db, row);
  if (!current?.answerable) throw new Problem('NOTHING_TO_APPROVE');
  if (current.sequence !== body.sequence) throw new Problem('STALE');
  const { id, displayName: name } = actorOf(call);
  if (!(await answerUpdate(db, row, { ...body, at: now.toISOString(), by: { id, name } })))
    throw new Problem('NOTHING_TO_APPROVE');
  call.afterCommit(() => publishTargets(platform, [row.id]));
  const answered = await updateForHome(db, row);
  if (!answered) throw new Problem('NOTHING_TO_APPROVE');
  return answered;
}
