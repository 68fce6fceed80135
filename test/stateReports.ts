import { sql } from '#server/db/sql.ts';
import { keepHistory } from '#server/stateHistory/keepHistory.ts';
import { rollUpSome } from '#server/stateHistory/rollUp.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';

export interface SaidNumbers {
  deviceId: string;
  at: Date;
  numbers: Record<string, number>;
}

/** Numbers that devices reported some time ago, past the gateway; in one transaction. */
export function saidBefore({ world, projectId }: ProjectWorld, said: readonly SaidNumbers[]): Promise<void> {
  const reports = said.map(report => ({ projectId, change: undefined, ...report }));
  return world.platform.db.tx(db => keepHistory(db, reports));
}

/** Resolves when all reports are in the figures: other transactions of the same PostgreSQL can keep the last ones waiting. */
export async function rolledUp({ world: { platform } }: ProjectWorld): Promise<void> {
  await until(async () => {
    while (await rollUpSome(platform));
    const waiting = await platform.db.one(sql`
      select 1 as found from state_numbers n, state_rollup r where n.tx >= r.tx and n.ts > r.since limit 1`);
    return waiting ? undefined : true;
  });
}
