import { Problem } from '#contract/problem.ts';
import type { editUser, User } from '#contract/user.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { endUserSessions } from '#server/people/sessions/endUserSessions.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { findUser } from '#server/people/users/user.ts';
import { setProfile } from '#server/people/users/userStore.ts';

/** A suspension takes effect at once, in sessions and in streams. */
export async function editOne(call: Call<typeof editUser>): Promise<User> {
  const { db, platform, row, body, now } = call;
  const { id, projectId } = row;
  await setProfile(db, { projectId, id }, body);
  if (body.suspended && !row.suspended)
    await endUserSessions(db, platform, { projectId, userId: id, reason: 'ended' });
  // Cached callers also contain the name.
  call.afterCommit(() => publishUserSessions(platform, projectId, id));
  const edited = await findUser(db, { projectId, id, now });
  if (!edited) throw new Problem('USER_NOT_FOUND');
  return edited;
}
