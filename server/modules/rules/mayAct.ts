import { GroupCommit, notYet } from '#server/infra/db/groupCommit.ts';
import type { Database, Db } from '#server/infra/db/sql.ts';
import { type Claim, claimActing, fallsAmong, heldWhileHolding, placeOf } from './ruleStates.ts';

const itemsMax = 200;

/**
 * `over`: the event ended the condition for which the rule had acted. `held`: another run has just acted for the
 * device. `later`: likewise, but the condition became true with this event and still holds.
 */
export type MayAct = 'act' | 'over' | 'held' | 'later';

export interface AskedToAct extends Claim {
  /** True: elapsed time caused the run, and not its event, which therefore has not ended the condition. */
  isElapsed: boolean;
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
    all.filter(({ isElapsed }) => !isElapsed),
  );
  const isOver = ({ moduleId, eventId, isElapsed }: AskedToAct) =>
    !isElapsed && falls.has(`${moduleId} ${eventId}`);
  // A statement can claim each place only once; the second run for a place waits for the next batch.
  const first = new Map(
    all
      .filter(one => !isOver(one))
      .toReversed()
      .map(one => [placeOf(one), one]),
  );
  const asked = [...first.values()];
  const claimed = await claimActing(db, asked);
  const later = await heldWhileHolding(
    db,
    asked.filter(({ runId }) => !claimed.has(runId)),
  );
  return all.map(one => {
    if (isOver(one)) return 'over';
    if (first.get(placeOf(one)) !== one) return notYet;
    if (claimed.has(one.runId)) return 'act';
    return later.has(one.runId) ? 'later' : 'held';
  });
}
