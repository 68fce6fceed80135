import { parkAfter } from '#rules/modules/moduleLimits.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { notifyTeam, type Stopped } from '#server/modules/smartModules/notifyTeam.ts';
import { setParked } from '#server/modules/smartModules/store.ts';

export const tooManyWaiting = `More than ${parkAfter.waiting.toLocaleString('en')} runs were waiting`;
export const failedTooLong = `Every attempt failed for ${parkAfter.hours} hours`;

/** Parks a module and e-mails the people who can fix it, once. False if it was already parked. */
export async function parkModule(
  db: Db,
  platform: Platform,
  { projectId, id, because }: Stopped,
): Promise<boolean> {
  const now = platform.clock();
  if ((await setParked(db, { projectId, id }, { because, now })) === 0) return false;
  await notifyTeam(db, platform, { projectId, id, because, what: 'parked' });
  return true;
}
