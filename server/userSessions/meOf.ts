import type { Me } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/sql.ts';
import { findUserById, type UserRecord } from '#server/users/userStore.ts';

/** An end user as the app sees them. */
export async function meOf(db: Db, projectId: string, userId: string): Promise<Me> {
  const user = await findUserById(db, projectId, userId);
  if (!user) throw new Problem('USER_NOT_FOUND');
  return toMe(user);
}

function toMe(user: UserRecord): Me {
  return {
    id: user.id,
    ...(user.email !== null && { email: user.email }),
    name: user.name,
    ...(user.language !== null && { language: user.language }),
    verified: user.verifiedAt !== null,
    hasPassword: user.passwordHash !== null,
    methods: [],
    ...(user.newEmail !== null && { newEmail: user.newEmail }),
    createdAt: user.createdAt.toISOString(),
  };
}
