import { pathOf } from '#contract/client.ts';
import { readDeviceAction } from '#contract/deviceBulk.ts';
import { Problem } from '#contract/problem.ts';
import { tellLive } from '#server/http/live.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';
import { act, tellOfAct } from './bulkAct.ts';
import {
  type ActionRow,
  failAction,
  findAction,
  lockDevices,
  nextMatching,
  stepAction,
} from './bulkStore.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    actOnDevices: { projectId: string; actionId: string };
  }
}

export const stepSize = 1000;

/**
 * Job that applies an action to all devices matching a filter, a thousand at a time in the order of their ids.
 * Each step and its progress are one transaction, so a job that is killed resumes without processing a device
 * twice.
 */
export function actOnDevicesJob(platform: Platform): Task<'actOnDevices'> {
  return async (payload, { isLast, signal }) => {
    const { projectId, actionId } = payload;
    try {
      while (await step(platform, projectId, actionId)) {
        if (signal?.aborted) return await enqueue(platform.db, 'actOnDevices', payload);
      }
    } catch (error) {
      const isRefused = error instanceof Problem;
      if (!isRefused && !isLast) throw error;
      if (!isRefused) platform.log('error', 'A bulk action was given up', { actionId, error: String(error) });
      const text = isRefused
        ? `${error.message} Start the action again for the remaining devices.`
        : 'The action failed repeatedly. Start it again for the remaining devices.';
      await failAction(platform.db, { projectId, id: actionId }, text, platform.clock());
      tellOfAction(platform, projectId, actionId);
    }
  };
}

/** Returns whether there is more to do. */
async function step(platform: Platform, projectId: string, actionId: string): Promise<boolean> {
  const { db } = platform;
  const action = await findAction(db, projectId, actionId);
  if (action?.state !== 'running') return false;
  const filter = { ...action.asked.matching, projectId };
  const ids = await nextMatching(db, filter, {
    ...{ after: action.cursor, before: action.createdAt },
    limit: stepSize,
  });
  const taken = await take(platform, action, ids);
  if (!taken) return true;
  tellOfAct(platform, action, taken);
  tellOfAction(platform, projectId, actionId);
  return ids.length === stepSize;
}

/** Undefined: another worker took this step. */
function take(platform: Platform, action: ActionRow, ids: string[]): Promise<string[] | undefined> {
  const { projectId, id } = action;
  return platform.db.tx(async db => {
    const present = await findAction(db, projectId, id, { lock: true });
    if (present?.cursor !== action.cursor || present.state !== 'running') return undefined;
    const now = platform.clock();
    const others = await act(
      db,
      platform,
      action,
      (await lockDevices(db, projectId, ids)).map(({ id }) => id),
      now,
    );
    const isLast = ids.length < stepSize;
    await stepAction(db, action, { cursor: ids.at(-1) ?? action.cursor, done: ids.length, isLast, now });
    return others;
  });
}

function tellOfAction(platform: Platform, projectId: string, actionId: string): void {
  tellLive(platform, projectId, { kind: 'changed', path: pathOf(readDeviceAction, { projectId, actionId }) });
}
