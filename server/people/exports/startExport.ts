import { Problem } from '#contract/problem.ts';
import type { UserExport } from '#contract/user.ts';
import { dayS, hourMs } from '#rules/time/durations.ts';
import { fileUrl } from '#server/api/files/links.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';
import { lockUser } from '#server/people/users/userStore.ts';
import { countExports, type ExportRow, findRunning, insertExport } from './exportStore.ts';

const linkMs = hourMs;
/** These attempts take some hours. */
const attemptsMax = 8;

interface Wanted {
  projectId: string;
  userId: string;
  /** Only this home and the events of its devices, without the account. */
  homeId?: string | undefined;
  now: Date;
  /** The end user's session, with which the link ends; undefined for a developer or a back end. */
  sessionId?: string | undefined;
  /** Maximum number of exports of the user within a day, whoever starts them. */
  aDayMax?: number;
}

async function checkRoom(db: Db, { aDayMax, ...of }: Wanted): Promise<void> {
  if (aDayMax === undefined) return;
  const since = new Date(of.now.getTime() - dayS * 1000);
  if ((await countExports(db, { ...of, since })) >= aDayMax)
    throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: dayS });
}

/**
 * Starts an export in the caller’s transaction, or returns a running one for the same user and home. A job writes the
 * file. The devices are determined now, so they can be released in the same transaction, as long as their messages are
 * deleted only once `isExported` returns false.
 */
export async function startExport(
  db: Db,
  platform: Pick<Platform, 'newId' | 'publicUrl' | 'sealing'>,
  wanted: Wanted,
): Promise<UserExport> {
  // With this lock, the second of two concurrent calls finds the first one's export.
  await lockUser(db, { projectId: wanted.projectId, id: wanted.userId });
  const running = await findRunning(db, wanted);
  if (!running) await checkRoom(db, wanted);
  const row = running ?? (await insertExport(db, { ...wanted, id: platform.newId('exp') }));
  const { projectId, id: exportId } = row;
  if (!running) await enqueue(db, 'exportUser', { projectId, exportId }, { maxAttempts: attemptsMax });
  return toExport(platform, row, wanted);
}

export function toExport(
  platform: Pick<Platform, 'publicUrl' | 'sealing'>,
  { projectId, id, state, createdAt, file, sizeBytes }: ExportRow,
  { sessionId, now }: Pick<Wanted, 'sessionId' | 'now'>,
): UserExport {
  const link = {
    kind: exportLinkKind,
    ids: [projectId, id, ...(sessionId === undefined ? [] : [sessionId])],
  };
  const url = file === null ? undefined : fileUrl(platform, link, new Date(now.getTime() + linkMs));
  return {
    id,
    state,
    createdAt: createdAt.toISOString(),
    ...(url !== undefined && { url }),
    ...(sizeBytes !== null && { sizeBytes: Number(sizeBytes) }),
  };
}

export const exportLinkKind = 'gx';
