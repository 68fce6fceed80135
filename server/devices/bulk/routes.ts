import {
  actOnDevices,
  type DeviceAction,
  exportChosenDevices,
  exportDevices,
  readDeviceAction,
} from '#contract/deviceBulk.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { mustHaveClass } from '#server/classes/deviceClasses/mustHaveClass.ts';
import { channelKept } from '#server/devices/devices/device.ts';
import { exportChosen, exportMatching } from '#server/devices/imports/exportDevices.ts';
import { developerActor } from '#server/devices/log/systemLog.ts';
import { unknownChannel } from '#server/firmware/channels/mustHaveChannel.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { act, publishAct } from './bulkAct.ts';
import { actOnDevicesJob } from './bulkJob.ts';
import { countMatching, deviceActionStore, lackChannel, lockDevices, toAction } from './bulkStore.ts';
import { actSaid } from './bulkWords.ts';

export const deviceBulk: Slice = {
  tables: { device_actions: 'A bulk action and its progress.' },
  idPrefixes: ['act'],
  jobs: platform => ({ tasks: { actOnDevices: actOnDevicesJob(platform) } }),
  chores: [deviceActionStore.chore],
  routes: [
    on(exportDevices, exportMatching),
    on(exportChosenDevices, exportChosen),

    on(actOnDevices, async call => {
      const { body } = call;
      if ((body.ids === undefined) === (body.matching === undefined))
        throw new Problem('INVALID_FIELDS', { fields: { ids: 'ONE_OF', matching: 'ONE_OF' } });
      if ((body.action === 'move') !== (body.channel !== undefined))
        throw new Problem('INVALID_FIELDS', {
          fields: { channel: body.channel === undefined ? 'REQUIRED' : 'INVALID' },
        });
      return body.ids ? actOnNamed(call, [...new Set(body.ids)]) : actOnMatching(call);
    }),

    on(readDeviceAction, async ({ db, params }) => {
      const row = await deviceActionStore.find(db, params.projectId, params.actionId);
      if (!row) throw new Problem('ACTION_NOT_FOUND');
      return toAction(row);
    }),
  ],
};

/** All of them or none. */
async function actOnNamed(call: Call<typeof actOnDevices>, ids: string[]): Promise<DeviceAction> {
  const { db, platform, now } = call;
  const asked = askedBy(call);
  const there = await lockDevices(db, asked.projectId, ids);
  if (there.length < ids.length) {
    const found = new Set(there.map(({ id }) => id));
    throw new Problem('DEVICE_NOT_FOUND', { context: { ids: ids.filter(id => !found.has(id)) } });
  }
  const named = there.map(({ said }) => said);
  call.about = { orgId: call.me.orgId, fields: { said: actSaid(asked.action, there.length, named) } };
  const others = await act(
    db,
    platform,
    asked,
    there.map(({ id }) => id),
    now,
  );
  call.afterCommit(() => publishAct(platform, asked, others));
  return toAction(await deviceActionStore.insert(db, { ...asked, state: 'done', total: ids.length, now }));
}

async function actOnMatching(call: Call<typeof actOnDevices>): Promise<DeviceAction> {
  const { db, now, body } = call;
  const asked = askedBy(call);
  const filter = { ...body.matching, projectId: asked.projectId };
  const { deviceClass } = filter;
  if (deviceClass !== undefined) await mustHaveClass(db, asked.projectId, deviceClass);
  const channel = channelKept(body.channel ?? '');
  if (channel !== '' && (await lackChannel(db, filter, channel))) throw unknownChannel();
  const total = await countMatching(db, filter);
  const said = actSaid(asked.action, total, { deviceClass });
  call.about = { orgId: call.me.orgId, fields: { said } };
  const row = await deviceActionStore.insert(db, { ...asked, state: 'running', total, now });
  await enqueue(db, 'actOnDevices', { projectId: asked.projectId, actionId: asked.id });
  return toAction(row);
}

function askedBy({ body, params, me, platform }: Call<typeof actOnDevices>) {
  const { action, ...given } = body;
  return {
    id: platform.newId('act'),
    projectId: params.projectId,
    action,
    asked: { ...given, actor: developerActor(me) },
  };
}
