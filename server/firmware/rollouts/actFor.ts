import { Problem } from '#contract/problem.ts';
import type { actOnRollout, Rollout, RolloutAct } from '#contract/rollout.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishTargets } from '#server/firmware/targets/retarget.ts';
import { actOn } from './actOn.ts';
import { retryFailed } from './retryFailed.ts';
import { rollBack } from './rollBack.ts';
import { lockRollout, readOut } from './store.ts';

export async function actFor(call: Call<typeof actOnRollout>): Promise<Rollout> {
  const { db, platform, body, me, now } = call;
  const key = { projectId: call.row.projectId, rolloutId: call.row.id };
  const row = await lockRollout(db, key);
  if (!row) throw new Problem('ROLLOUT_NOT_FOUND');
  call.before = { bundleName: row.bundle.name, channelName: row.channel.name, said: said[body.action] };
  refuseStale(call, row);
  const by = { actor: { id: me.developerId, name: me.name }, reason: body.reason, now };
  const { action } = body;
  let about = key;
  let told: string[] = [];
  if (action === 'rollBack') ({ about, told } = await rollBack(call, row, by));
  else if (action === 'retryFailed') told = await retryFailed(db, row, by);
  else told = await actOn(db, key, action, by);
  call.afterCommit(() => publishTargets(platform, told));
  const after = await lockRollout(db, about);
  if (!after) throw new Problem('ROLLOUT_NOT_FOUND');
  return readOut(db, after);
}

/** For the audit log. */
const said: Record<RolloutAct, string> = {
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  nextStep: 'advanced',
  stop: 'stopped',
  rollBack: 'rolled back',
  retryFailed: 'retried',
};
