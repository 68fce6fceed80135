import { Problem } from '#contract/problem.ts';
import type { sendUserPasswordReset } from '#contract/user.ts';
import { countMail } from '#server/accounts/identity/throttle.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { mailPasswordReset } from '#server/people/mails/accountMails.ts';
import { projectOf } from './createUser.ts';

type Sending = Call<typeof sendUserPasswordReset>;

/** Counted separately, so that requests from an app, which anyone can make, do not block support. */
export async function countPasswordReset({ platform, row, now }: Sending): Promise<void> {
  const { projectId: of, email } = row;
  if (email !== undefined) await countMail(platform, { of, purpose: 'resetSent', email, now });
}

/** Also for users without a password, who can set one this way. */
export async function sendPasswordReset({ db, platform, row }: Sending): Promise<void> {
  const { id, name, email, projectId } = row;
  if (email === undefined) throw new Problem('NO_EMAIL');
  const project = await projectOf(db, projectId);
  if (project.userAccountMode === 'external' || project.restrictPasswordLogin)
    throw new Problem('PASSWORD_LOGIN_RESTRICTED');
  await mailPasswordReset(db, platform, { project, user: { id, name, email } });
}
