import { rollUpSome } from '#server/devices/stateHistory/rollUp.ts';
import { storeHistory } from '#server/devices/stateHistory/storeHistory.ts';
import type { ProjectWorld } from './projectWorld.ts';

export interface SaidNumbers {
  deviceId: string;
  at: Date;
  numbers: Record<string, number>;
}

/** Stores numbers that devices reported some time ago, without a gateway, in one transaction. */
export function saidBefore({ world, projectId }: ProjectWorld, said: readonly SaidNumbers[]): Promise<void> {
  const reports = said.map(({ numbers, ...report }) => ({
    projectId,
    change: undefined,
    ...report,
    numbers: JSON.stringify(numbers),
  }));
  return world.platform.db.tx(db => storeHistory(db, reports));
}

/** Resolves when all reports are rolled up into the figures. */
export async function rolledUp({ world: { platform } }: ProjectWorld): Promise<void> {
  while (await rollUpSome(platform));
}
