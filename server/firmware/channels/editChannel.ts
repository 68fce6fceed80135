import type { Channel, editChannel } from '#contract/channel.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { supersedeRollouts } from '#server/firmware/outcomes/supersede.ts';
import { mustHaveBundle } from '#server/firmware/targets/mustHaveBundle.ts';
import { publishTargets, retarget } from '#server/firmware/targets/retarget.ts';
import { pointChannel } from './pointChannel.ts';
import { findChannel, followedName, updateChannel } from './store.ts';

/** Updates a channel. If its bundle changes in any way, its devices are notified at once. */
export async function editOne(call: Call<typeof editChannel>): Promise<Channel> {
  const { db, body, row, platform } = call;
  const { projectId, id } = row;
  const { bundleId, endRollout } = body;
  if (body.description !== undefined)
    await updateChannel(db, projectId, id, { description: body.description });
  const isPointed = bundleId !== undefined && (bundleId ?? undefined) !== row.bundleId;
  if (isPointed && row.rolloutId !== undefined && !endRollout)
    throw new Problem('ROLLOUT_RUNNING', { context: { rolloutId: row.rolloutId } });
  if (isPointed || endRollout) {
    const told = isPointed ? await point(call, bundleId) : await follow(call);
    call.afterCommit(() => publishTargets(platform, told));
  }
  const edited = await findChannel(db, projectId, id);
  if (!edited) throw new Problem('CHANNEL_NOT_FOUND');
  return edited;
}

/** Ends the rollout of the channel; its devices then follow the channel as it is. */
async function follow(call: Call<typeof editChannel>): Promise<string[]> {
  const { db, row, now } = call;
  const { projectId, deviceClass, name } = row;
  await endRollouts(call, 'The rollout was ended with an edit of its channel.');
  return retarget(db, { projectId, deviceClass, channel: followedName(name) }, now);
}

async function point(call: Call<typeof editChannel>, bundleId: string | null): Promise<string[]> {
  const { db, row, me, now } = call;
  const { projectId, deviceClass, id: channelId } = row;
  if (bundleId !== null) await mustHaveBundle(db, { projectId, deviceClass, bundleId }, 'bundleId');
  await endRollouts(call, 'The channel was pointed at another bundle.');
  const actor = { id: me.developerId, name: me.name };
  return pointChannel(db, { projectId, channelId, bundleId, actor }, now);
}

function endRollouts({ db, row, me, now }: Call<typeof editChannel>, text: string): Promise<void> {
  const actor = { id: me.developerId, name: me.name };
  return supersedeRollouts(db, { projectId: row.projectId, channelId: row.id }, { now, actor, text });
}
