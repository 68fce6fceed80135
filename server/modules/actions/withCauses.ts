import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Needs } from './deviceActions.ts';

/**
 * Does the work of a run in its own transaction, whose events record the runs that led to them. Notices are published
 * after the commit.
 */
export async function withCauses<Result>(
  platform: Platform,
  { causedBy, runId }: { causedBy: readonly string[]; runId: string },
  work: (db: Db, needs: Needs) => Promise<Result>,
): Promise<Result> {
  const tells: (() => void)[] = [];
  const result = await platform.db.tx(async db => {
    // A transaction that is retried after a conflict starts over.
    tells.length = 0;
    await db.run(sql`select set_config('mooring.caused_by', ${JSON.stringify([...causedBy, runId])}, true)`);
    return work(db, { platform, afterCommit: tell => tells.push(tell) });
  });
  for (const tell of tells) tell();
  return result;
}

/** The same error would occur in the next attempt. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.reason !== 'TOO_MANY_COMMANDS';
