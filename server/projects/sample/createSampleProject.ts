import { appendEntry } from '#server/api/logs/append.ts';
import type { SampleNeeds, Slice } from '#server/api/slice.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { insertProject, updateProject } from '#server/projects/projects/store.ts';

const name = 'Sample project';

/** Creates the sample project of a new developer, in the transaction that creates the account. */
export async function createSampleProject(
  db: Db,
  platform: SampleNeeds,
  developer: { id: string; orgId: string },
  slices: readonly Slice[],
): Promise<void> {
  const id = platform.newId('prj');
  const now = platform.clock();
  await insertProject(db, {
    id,
    orgId: developer.orgId,
    name,
    description: 'A place to try things out. Nothing here is real, and you cannot break anything.',
    isSample: true,
    createdBy: developer.id,
    now,
  });
  await updateProject(db, id, {
    userAuthMessage: 'Welcome to the sample home. Sign in to see its devices.',
    enableDeviceLogRetrieval: true,
  });
  for (const { sample } of slices) await sample?.(db, platform, { projectId: id, now });
  await appendEntry(db, platform, {
    projectId: id,
    stream: 'audit',
    ts: now,
    level: 2,
    actor: { callerType: 'agent', id: 'mooring', displayName: 'Mooring' },
    action: 'createSampleProject',
    text: `Created project ${name} for you to try things out`,
  });
}
