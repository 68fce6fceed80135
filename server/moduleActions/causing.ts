import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import type { Needs } from './deviceActions.ts';

/**
 * Does something for a run in a transaction of its own, whose events say which runs led to them. What is to be told is
 * told once it is kept.
 */
export async function causing<Result>(
  platform: Platform,
  { causedBy, runId }: { causedBy: readonly string[]; runId: string },
  work: (db: Db, needs: Needs) => Promise<Result>,
): Promise<Result> {
  const tells: (() => void)[] = [];
  const result = await platform.db.tx(async db => {
    // A transaction that met another one is done anew.
    tells.length = 0;
    await db.run(sql`select set_config('mooring.caused_by', ${JSON.stringify([...causedBy, runId])}, true)`);
    return work(db, { platform, whenKept: tell => tells.push(tell) });
  });
  for (const tell of tells) tell();
  return result;
}

/** What will be no better the next time. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.reason !== 'TOO_MANY_COMMANDS';
