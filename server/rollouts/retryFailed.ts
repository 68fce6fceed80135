import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/sql.ts';
import type { By } from './actOn.ts';
import type { RolloutRecord } from './store.ts';

export async function retryFailed(_db: Db, _row: RolloutRecord, _by: By): Promise<string[]> {
  throw new Problem('ROLLOUT_STATE');
}
