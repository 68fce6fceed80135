import {
  listDeviceUpdates,
  readDeviceFirmware,
  readDeviceTarget,
  retryDeviceUpdate,
} from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceFrames.ts';
import { Problem } from '#contract/problem.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice, Work } from '#server/api/slice.ts';
import type { Platform } from '#server/infra/platform.ts';
import { forgetWhoAnswered } from './answerUpdate.ts';
import { firmwareOf } from './firmwareOf.ts';
import { type Cursor, reconcileTargets } from './reconcileTargets.ts';
import { publishTargets, retargetChannelJob } from './retarget.ts';
import { retryTargets } from './retryTargets.ts';
import { frameOf, targetsOf } from './targetFrames.ts';
import { updatesOf } from './updates.ts';

export const deviceFirmware: Slice = {
  tables: {
    device_targets: 'The bundle a device should run, and the progress of its update.',
    device_updates: 'An earlier update of a device, and how it ended.',
  },
  jobs,
  forgetsUser: forgetWhoAnswered,
  schedule: [{ task: 'reconcileTargets', at: '* * * * *' }],
  routes: [
    on(readDeviceFirmware, ({ db, row }) => firmwareOf(db, row)),
    on(listDeviceUpdates, ({ db, row, page }) => updatesOf(db, row, page)),

    on(retryDeviceUpdate, async ({ db, row, now, platform, afterCommit }) => {
      const { projectId, id } = row;
      const told = await retryTargets(db, { projectId, deviceIds: [id] }, now);
      if (told.length === 0) throw new Problem('NOTHING_TO_RETRY');
      afterCommit(() => publishTargets(platform, told));
      return firmwareOf(db, row);
    }),

    on(readDeviceTarget, async ({ db, row, platform }) => {
      const [target] = await targetsOf(db, [row]);
      if (!target) return null;
      const { components, ...frame } = frameOf(platform, target, () => '');
      return { ...frame, components: components.map(withoutLinks) };
    }),
  ],
};

function withoutLinks({ url: _, delta, ...one }: TargetFrame['components'][number]) {
  if (!delta) return one;
  const { url: __, ...shown } = delta;
  return { ...one, delta: shown };
}

function jobs(platform: Platform): Work {
  let from: Cursor = { projectId: '', deviceId: '' };
  return {
    tasks: {
      retargetChannel: following => retargetChannelJob(platform, following),
      reconcileTargets: async () => {
        from = await reconcileTargets(platform, from);
      },
    },
  };
}
