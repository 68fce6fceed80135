import {
  channelsMax,
  createChannel,
  defaultChannel,
  deleteChannel,
  editChannel,
  listChannelNames,
  listChannels,
  readChannel,
  readChannelImpact,
} from '#contract/channel.ts';
import { Problem } from '#contract/problem.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { mustHaveClass } from '#server/classes/deviceClasses/mustHaveClass.ts';
import { mustHaveBundle } from '#server/firmware/targets/mustHaveBundle.ts';
import { publishTargets, retarget } from '#server/firmware/targets/retarget.ts';
import { editOne } from './editChannel.ts';
import { impactOf } from './impact.ts';
import { insertChannels } from './insertChannels.ts';
import {
  channelNames,
  channelResource,
  channelsOf,
  findChannel,
  followedName,
  lockFollowers,
  removeChannel,
} from './store.ts';

export const channels: Slice = {
  tables: {
    channels: 'A channel, which assigns a bundle to the devices that follow it.',
    channel_bundles: 'A bundle that a channel pointed at, and since when.',
  },
  idPrefixes: ['chn'],
  resources: { channel: channelResource },
  constraints: { channels_class: 'DEPENDENCY_RESTRICTION' },
  routes: [
    on(listChannels, ({ db, query, page }) => channelsOf(db, query, page)),
    on(listChannelNames, ({ db, query }) => channelNames(db, query)),
    on(createChannel, createOne),
    on(readChannel, async call => call.row),
    on(editChannel, editOne),

    on(deleteChannel, async ({ db, row }) => {
      const { deviceCount, devices } = await lockFollowers(db, row);
      if (deviceCount > 0) throw new Problem('DEPENDENCY_RESTRICTION', { context: { deviceCount, devices } });
      if (row.rolloutId) throw new Problem('ROLLOUT_RUNNING', { context: { rolloutId: row.rolloutId } });
      return removeChannel(db, row.projectId, row.id);
    }),

    on(readChannelImpact, impactOf),
  ],
};

async function createOne(call: Call<typeof createChannel>) {
  const { db, platform, body, me, now } = call;
  const { projectId, deviceClass, name = defaultChannel, description, bundleId } = body;
  await checkRoom(db, projectId, { table: 'channels', max: channelsMax, reason: 'TOO_MANY_CHANNELS' });
  await mustHaveClass(db, projectId, deviceClass);
  if (bundleId !== undefined) await mustHaveBundle(db, { projectId, deviceClass, bundleId }, 'bundleId');
  const id = platform.newId('chn', now);
  const actor = { id: me.developerId, name: me.name };
  const made = { id, deviceClass, name, description, bundleId };
  const added = await insertChannels(db, projectId, [made], now, actor);
  if (added === 0) throw new Problem('NAME_TAKEN', { fields: { name: 'NAME_TAKEN' } });
  // Devices may follow `stable` before it exists.
  const told = await retarget(db, { projectId, deviceClass, channel: followedName(name) }, now);
  call.afterCommit(() => publishTargets(platform, told));
  const created = await findChannel(db, projectId, id);
  if (!created) throw new Problem('CHANNEL_NOT_FOUND');
  return created;
}
