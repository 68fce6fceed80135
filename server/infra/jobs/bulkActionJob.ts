import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { BulkAction, BulkActions } from './bulkActions.ts';
import type { Attempt } from './jobs.ts';

export const bulkStepSize = 1000;

interface OfAction {
  projectId: string;
  actionId: string;
}

interface Bulk<Action extends string, Asked extends object, Acted> {
  actions: BulkActions<Action, Asked>;
  /** For example "devices". */
  noun: string;
  /** The next ids that match, in their order. Rows made after the request are not included. */
  next(action: BulkAction<Action, Asked>, limit: number): Promise<string[]>;
  /**
   * Locks these rows, and applies the action to those that still match. `matched`: how many these were, whether the
   * action changed them or not.
   */
  act(
    db: Db,
    action: BulkAction<Action, Asked>,
    ids: string[],
    now: Date,
  ): Promise<{ matched: number; acted: Acted }>;
  /** Announces a step once it is committed. */
  publish(of: OfAction, step?: { action: BulkAction<Action, Asked>; acted: Acted }): void;
  /** Enqueues the job again, for another worker. */
  again(of: OfAction): Promise<void>;
}

/**
 * Job that applies an action to all rows that match a filter, a thousand at a time in the order of their ids. Each step
 * and its progress are one transaction, so a job that is killed resumes without processing a row twice.
 */
export function bulkActionJob<Action extends string, Asked extends object, Acted>(
  platform: Platform,
  bulk: Bulk<Action, Asked, Acted>,
): (of: OfAction, attempt: Attempt) => Promise<void> {
  return async (of, { isLast, signal }) => {
    try {
      while (await step(platform, bulk, of)) if (signal?.aborted) return await bulk.again(of);
    } catch (error) {
      const isRefused = error instanceof Problem;
      if (!isRefused && !isLast) throw error;
      if (!isRefused)
        platform.log('error', 'A bulk action was given up', { actionId: of.actionId, error: String(error) });
      const text = isRefused
        ? `${error.message} Start the action again for the remaining ${bulk.noun}.`
        : `The action failed repeatedly. Start it again for the remaining ${bulk.noun}.`;
      const { projectId, actionId: id } = of;
      await bulk.actions.fail(platform.db, { projectId, id }, text, platform.clock());
      bulk.publish(of);
    }
  };
}

/** Returns whether more rows may follow. */
async function step<Action extends string, Asked extends object, Acted>(
  { db, clock }: Platform,
  { actions, next, act, publish }: Bulk<Action, Asked, Acted>,
  of: OfAction,
): Promise<boolean> {
  const action = await actions.find(db, of.projectId, of.actionId);
  if (action?.state !== 'running') return false;
  const ids = await next(action, bulkStepSize);
  const isLast = ids.length < bulkStepSize;
  const acted = await db.tx(async tx => {
    const present = await actions.find(tx, of.projectId, of.actionId, { lock: true });
    // Another worker has taken this step.
    if (present?.cursor !== action.cursor || present.state !== 'running') return undefined;
    const now = clock();
    const { matched, acted } = await act(tx, action, ids, now);
    await actions.step(tx, action, { cursor: ids.at(-1) ?? action.cursor, done: matched, isLast, now });
    return { by: acted };
  });
  if (!acted) return true;
  publish(of, { action, acted: acted.by });
  return !isLast;
}
