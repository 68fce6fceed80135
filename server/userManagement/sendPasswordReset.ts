import { Problem } from '#contract/problem.ts';
import type { sendUserPasswordReset } from '#contract/user.ts';
import type { Call } from '#server/endpoints/route.ts';
import { mailPasswordReset } from '#server/userMails/accountMails.ts';
import { projectOf } from './createUser.ts';

/** Also to who has no password yet: it is a way to get one. */
export async function sendPasswordReset({
  db,
  platform,
  row,
}: Call<typeof sendUserPasswordReset>): Promise<void> {
  const { id, name, email, projectId } = row;
  if (email === undefined) throw new Problem('NO_EMAIL');
  const project = await projectOf(db, projectId);
  if (project.userAccountMode === 'external' || project.restrictPasswordLogin)
    throw new Problem('PASSWORD_LOGIN_RESTRICTED');
  await mailPasswordReset(db, platform, { project, user: { id, name, email } });
}
