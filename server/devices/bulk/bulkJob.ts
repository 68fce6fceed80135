import { pathOf } from '#contract/client.ts';
import { readDeviceAction } from '#contract/deviceBulk.ts';
import { publishLive } from '#server/api/http/live.ts';
import { bulkActionJob } from '#server/infra/jobs/bulkActionJob.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { act, publishAct } from './bulkAct.ts';
import { deviceActionStore, lockDevices, nextMatching, stillMatching } from './bulkStore.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    actOnDevices: { projectId: string; actionId: string };
  }
}

/** Applies an action to all devices that match a filter. */
export function actOnDevicesJob(platform: Platform): Task<'actOnDevices'> {
  return bulkActionJob(platform, {
    actions: deviceActionStore,
    noun: 'devices',
    next: ({ projectId, asked, cursor, createdAt }, limit) =>
      nextMatching(
        platform.db,
        { ...asked.matching, projectId },
        { after: cursor, before: createdAt, limit },
      ),
    async act(db, action, ids, now) {
      const { projectId, asked } = action;
      await lockDevices(db, projectId, ids);
      const matching = await stillMatching(db, { ...asked.matching, projectId }, ids);
      return { matched: matching.length, acted: await act(db, platform, action, matching, now) };
    },
    publish(of, step) {
      if (step) publishAct(platform, step.action, step.acted);
      publishLive(platform, of.projectId, { kind: 'changed', path: pathOf(readDeviceAction, { ...of }) });
    },
    again: of => enqueue(platform.db, 'actOnDevices', of),
  });
}
