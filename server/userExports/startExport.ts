import { Problem } from '#contract/problem.ts';
import type { UserExport } from '#contract/user.ts';
import type { Db } from '#server/db/sql.ts';
import { fileUrl } from '#server/files/links.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Platform } from '#server/platform.ts';
import { lockUser } from '#server/users/userStore.ts';
import { countExports, type ExportRow, findRunning, insertExport } from './exportStore.ts';

const linkMs = 3_600_000;
/** Reaches over some hours. */
const attemptsMax = 8;

interface Wanted {
  projectId: string;
  userId: string;
  /** Only this home and the events of its devices, with nothing of the account. */
  homeId?: string | undefined;
  now: Date;
  /** How many of the user’s may be started within a day, by whomever. */
  aDayMax?: number;
}

const dayS = 86_400;

async function checkRoom(db: Db, { aDayMax, ...of }: Wanted): Promise<void> {
  if (aDayMax === undefined) return;
  const since = new Date(of.now.getTime() - dayS * 1000);
  if ((await countExports(db, { ...of, since })) >= aDayMax)
    throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: dayS });
}

/**
 * Starts an export in the caller’s transaction; one of the same that runs is answered instead. A job writes the file.
 * Whose events it has is settled now: devices can be released in the same transaction, if what they said is wiped only
 * once `isExported` answers false.
 */
export async function startExport(
  db: Db,
  platform: Pick<Platform, 'newId' | 'publicUrl' | 'sealing'>,
  wanted: Wanted,
): Promise<UserExport> {
  // Of two at once the second sees the first: there is one file.
  await lockUser(db, { projectId: wanted.projectId, id: wanted.userId });
  const running = await findRunning(db, wanted);
  if (!running) await checkRoom(db, wanted);
  const row = running ?? (await insertExport(db, { ...wanted, id: platform.newId('exp') }));
  const { projectId, id: exportId } = row;
  if (!running) await enqueue(db, 'exportUser', { projectId, exportId }, { maxAttempts: attemptsMax });
  return toExport(platform, row, wanted.now);
}

export function toExport(
  platform: Pick<Platform, 'publicUrl' | 'sealing'>,
  { projectId, id, state, createdAt, file, sizeBytes }: ExportRow,
  now: Date,
): UserExport {
  const link = { kind: exportLinkKind, ids: [projectId, id] };
  const url = file === null ? undefined : fileUrl(platform, link, new Date(now.getTime() + linkMs));
  return {
    ...{ id, state, createdAt: createdAt.toISOString() },
    ...(url !== undefined && { url }),
    ...(sizeBytes !== null && { sizeBytes: Number(sizeBytes) }),
  };
}

export const exportLinkKind = 'gx';
