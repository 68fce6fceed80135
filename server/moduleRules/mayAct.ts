import type { Database, Db } from '#server/db/sql.ts';
import { GroupCommit, notYet } from '#server/pace/groupCommit.ts';
import { type Claim, claimActing, fallsAmong, placeOf } from './ruleStates.ts';

const itemsMax = 200;

/**
 * `over`: the event ended the condition for which the rule had acted. `held`: another run has just acted for the
 * device.
 */
export type MayAct = 'act' | 'over' | 'held';

export interface AskedToAct extends Claim {
  /** The event, which may have ended the condition; absent if elapsed time caused the run. */
  eventId: string | undefined;
}

const commits = new WeakMap<Database, GroupCommit<AskedToAct, MayAct>>();

/** Whether a run of a rule may act for its device. Batched with other runs, which can be many in a fleet. */
export function mayAct(db: Database, asked: AskedToAct): Promise<MayAct> {
  const commit =
    commits.get(db) ?? new GroupCommit({ name: 'rules asked', run: all => askAll(db, all), itemsMax });
  commits.set(db, commit);
  return commit.add(asked);
}

async function askAll(db: Db, all: readonly AskedToAct[]): Promise<(MayAct | typeof notYet)[]> {
  const falls = await fallsAmong(
    db,
    all.flatMap(({ projectId, moduleId, eventId }) => (eventId ? [{ projectId, moduleId, eventId }] : [])),
  );
  const isOver = ({ moduleId, eventId }: AskedToAct) => falls.has(`${moduleId} ${eventId}`);
  // A statement can claim each place only once; the second run for a place waits for the next batch.
  const first = new Map(
    all
      .filter(one => !isOver(one))
      .toReversed()
      .map(one => [placeOf(one), one]),
  );
  const claimed = await claimActing(db, [...first.values()]);
  return all.map(one => {
    if (isOver(one)) return 'over';
    if (first.get(placeOf(one)) !== one) return notYet;
    return claimed.has(one.runId) ? 'act' : 'held';
  });
}
