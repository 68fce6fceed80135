import type { Db } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import { insertProject } from './store.ts';

/** The project a new developer finds on arrival; made in the transaction that makes the account. */
export async function createSampleProject(
  db: Db,
  platform: Pick<Platform, 'newId' | 'clock'>,
  developer: { id: string; orgId: string },
): Promise<void> {
  await insertProject(db, {
    id: platform.newId('prj'),
    orgId: developer.orgId,
    name: 'Sample project',
    description: 'A place to try things. Nothing in it is real, and nothing you do here breaks anything.',
    isSample: true,
    createdBy: developer.id,
    now: platform.clock(),
  });
}
