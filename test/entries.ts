import { type Actor, appendEntries, type NewEntry } from '#server/api/logs/append.ts';
import type { Platform } from '#server/infra/platform.ts';

export const someone: Actor = { callerType: 'developer', id: 'dvl_someone', displayName: 'Someone' };

/** Writes audit entries as the platform does, with `ts` and all else as given; ids have the time of the entry. */
export async function writeEntries(
  { db, newId, clock }: Pick<Platform, 'db' | 'newId' | 'clock'>,
  projectId: string,
  given: Partial<NewEntry>[],
): Promise<void> {
  const entries = given.map(
    (one, i): NewEntry => ({
      projectId,
      stream: 'audit',
      ts: clock(),
      level: 2,
      actor: someone,
      action: 'somethingDone',
      text: `Something done ${i}`,
      ...one,
    }),
  );
  for (let i = 0; i < entries.length; i += 500) await appendEntries(db, { newId }, entries.slice(i, i + 500));
}
