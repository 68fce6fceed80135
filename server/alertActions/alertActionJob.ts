import { alertsMakeOld, readAlertAction } from '#contract/alert.ts';
import { pathOf } from '#contract/client.ts';
import { changeAlerts, lockAlerts } from '#server/alerts/changeAlerts.ts';
import { tellLive } from '#server/http/live.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';
import { type ActionRow, failAction, findAction, nextAlerts, stateOf, stepAction } from './store.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    actOnAlerts: { projectId: string; actionId: string };
  }
}

export const stepSize = 1000;

/**
 * Job that changes all alerts matching a filter, a thousand at a time in the order of their ids. Each step and its progress
 * are one transaction, so a job that is killed resumes where it was.
 */
export function alertActionJob(platform: Platform): Task<'actOnAlerts'> {
  return async (payload, { isLast, signal }) => {
    const { projectId, actionId } = payload;
    try {
      while (await step(platform, projectId, actionId)) {
        if (signal?.aborted) return await enqueue(platform.db, 'actOnAlerts', payload);
      }
    } catch (error) {
      if (!isLast) throw error;
      platform.log('error', 'A bulk action on alerts was given up', { actionId, error: String(error) });
      const text = 'The action failed repeatedly. Start it again for the remaining alerts.';
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
  const { cursor: after, createdAt: before } = action;
  const ids = await nextAlerts(db, filter, { after, before, limit: stepSize });
  if (!(await take(platform, action, ids))) return true;
  tellOfAction(platform, projectId, actionId);
  return ids.length === stepSize;
}

/** False: another worker took this step. */
function take(platform: Platform, action: ActionRow, ids: string[]): Promise<boolean> {
  const { projectId, id, asked } = action;
  return platform.db.tx(async db => {
    const present = await findAction(db, projectId, id, { lock: true });
    if (present?.cursor !== action.cursor || present.state !== 'running') return false;
    const now = platform.clock();
    const change = { state: stateOf[action.action], note: asked.note ?? '', by: asked.by, now };
    await changeAlerts(db, projectId, await lockAlerts(db, projectId, ids), change);
    const isLast = ids.length < stepSize;
    await stepAction(db, action, { cursor: ids.at(-1) ?? action.cursor, done: ids.length, isLast, now });
    return true;
  });
}

function tellOfAction(platform: Platform, projectId: string, actionId: string): void {
  const path = pathOf(readAlertAction, { projectId, actionId });
  tellLive(platform, projectId, { kind: 'changed', path, makesOld: alertsMakeOld });
}
