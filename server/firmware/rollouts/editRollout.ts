import { Problem } from '#contract/problem.ts';
import { type editRollout, type Rollout, unfinished } from '#contract/rollout.ts';
import { keepsBegun, stepsRise } from '#rules/firmware/rolloutSteps.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import { updateSettings } from '#server/firmware/outcomes/rolloutRows.ts';
import { enqueueAdvance } from './actOn.ts';
import { lockRollout, type RolloutRecord, readOut, type StoredStep } from './store.ts';

export async function edit(call: Call<typeof editRollout>): Promise<Rollout> {
  const { db, body, row, me, now } = call;
  if (!unfinished.includes(row.state)) throw new Problem('ROLLOUT_STATE');
  const key = { projectId: row.projectId, rolloutId: row.id };
  // As the API shows it, so that the audit log entry compares the same fields.
  call.before = await readOut(db, row);
  const { reason, steps, ...settings } = body;
  await updateSettings(db, row, { ...settings, steps: steps && stepsAfter(row, steps) });
  await recordEvents(db, [
    {
      ...key,
      kind: 'edited',
      at: now,
      actor: { id: me.developerId, name: me.name },
      text: reason ? `Settings changed: ${reason}` : 'Settings changed.',
    },
  ]);
  if (row.state === 'running') await enqueueAdvance(db, key);
  const edited = await lockRollout(db, key);
  if (!edited) throw new Problem('ROLLOUT_NOT_FOUND');
  return readOut(db, edited);
}

/** Keeps the times of steps that have begun. */
function stepsAfter({ state, step, steps: before }: RolloutRecord, steps: StoredStep[]): StoredStep[] {
  const begun = state === 'draft' ? 0 : step + 1;
  if (!stepsRise(steps) || !keepsBegun(before, steps, begun)) throw new Problem('STEPS_UNFIT');
  return [...before.slice(0, begun), ...steps.slice(begun)];
}
