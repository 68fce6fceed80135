import { eraseMe } from '#contract/appApi/me.ts';
import { Problem } from '#contract/problem.ts';
import type { deleteUser } from '#contract/user.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import { personOfAddress } from '#server/api/logs/entryNames.ts';
import { eraseNames } from '#server/api/logs/eraseNames.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { homesOwned, leaveAllHomes } from '#server/people/homes/changeMembers.ts';
import { deleteHome } from '#server/people/homes/deletion/deleteHome.ts';
import { endUserSessions } from '#server/people/sessions/endUserSessions.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { deleteUserRow, lockUser } from '#server/people/users/userStore.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    eraseFromLogs: { projectId: string; people: string[] };
  }
}

/** By then, calls made just before the deletion are in the log. */
const againAfterMs = 5 * minuteMs;

/**
 * Erases a user: account, sessions, memberships, exports, what each slice knows of them (`forgetsUser`) and, by a job,
 * name and address in logs. The audit log entry of the deletion contains only the id.
 */
export async function eraseUser(
  call: Call<typeof deleteUser> | Call<typeof eraseMe>,
  { projectId, userId, deletesHomes }: { projectId: string; userId: string; deletesHomes: boolean },
): Promise<void> {
  const { db, platform, now } = call;
  const user = await lockUser(db, { projectId, id: userId });
  if (!user) throw new Problem('USER_NOT_FOUND');
  const owned = await homesOwned(db, projectId, userId);
  if (owned.length > 0 && !deletesHomes) throw new Problem('OWNS_HOME', { context: { homeIds: owned } });
  const actor = actorOf(call);
  for (const homeId of owned) await deleteHome(db, platform, { projectId, homeId, actor, now });
  await leaveAllHomes(db, projectId, userId);
  const addresses = [user.email, user.newEmail].filter(address => address !== null);
  await platform.forgetUser(db, { projectId, userId, addresses });
  await endUserSessions(db, platform, { projectId, userId, reason: 'ended' });
  await deleteUserRow(db, { projectId, id: userId });
  await eraseFromLogs(db, { projectId, userId, addresses, now });
  call.before = { id: userId, homesDeleted: owned };
  call.afterCommit(() => publishUserSessions(platform, projectId, userId));
}

/** At once, and again later for entries that were on their way. */
async function eraseFromLogs(
  db: Db,
  given: { projectId: string; userId: string; addresses: readonly string[]; now: Date },
): Promise<void> {
  const { projectId, userId, addresses, now } = given;
  const people = [userId, ...addresses.map(address => personOfAddress(projectId, address))];
  await enqueue(db, 'eraseFromLogs', { projectId, people });
  const runAt = new Date(now.getTime() + againAfterMs);
  await enqueue(db, 'eraseFromLogs', { projectId, people }, { runAt });
}

export function eraseFromLogsJob({ db }: Pick<Platform, 'db'>): Task<'eraseFromLogs'> {
  return ({ projectId, people }) => eraseNames(db, projectId, people);
}

export const eraseMyRoute = on(eraseMe, async call => {
  checkUserProof(call);
  await eraseUser(call, { projectId: call.inApp.projectId, userId: call.user.id, deletesHomes: false });
});
