import { startVerification, verify } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { mayMail } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import { mailEmailUpdate, mailVerification } from '#server/people/mails/accountMails.ts';
import { findProof, type Purpose, takeRegistered } from '#server/people/mails/userCodes.ts';
import { isSessionOpen } from '#server/people/sessions/findUserSession.ts';
import { findUserByEmail, findUserById, type UserRecord } from '#server/people/users/userStore.ts';
import { confirmAddress } from './accountActs.ts';
import { aboutUser, actingIn } from './inApp.ts';
import { takeProof, verifying } from './proofs.ts';

/** The hash of the code or token in a call, by which the proof is used. */
export function proofIn(
  call: Pick<Call, 'platform' | 'inApp' | 'from' | 'now'> & {
    body: { email?: string | undefined; code?: string | undefined; token?: string | undefined };
  },
  purposes: readonly Purpose[],
): Promise<Buffer> {
  const { platform, inApp, from, now, body } = call;
  const email = body.email === undefined ? undefined : normalEmail(body.email);
  const of = { projectId: inApp.projectId, purposes, address: from.address, now };
  return findProof(platform, { ...body, email }, of);
}

/** The error for a wrong code or a wrong link. */
export const wrongProof = ({ token }: { token?: string | undefined }) =>
  token === undefined
    ? new Problem('CODE_WRONG', { fields: { code: 'CODE_WRONG' } })
    : new Problem('INVALID_LINK');

/**
 * Sends the e-mail again to an address that is not verified: that of an account, or the one a signed-in user is
 * changing to.
 */
async function sendAgain(call: Call<typeof startVerification>): Promise<void> {
  const { db, platform, inApp, from, now } = call;
  const network = networkOf(from.address);
  const { projectId, projectName, userAccountMode } = inApp;
  if (userAccountMode === 'external') return;
  const asked = normalEmail(call.body.email);
  const project = { id: projectId, name: projectName };
  const me = call.endUser && (await findUserById(db, projectId, call.endUser.id));
  if (me && (await isChangingTo(call, me, asked)))
    return mailEmailUpdate(db, platform, {
      project,
      user: { ...me, email: me.email ?? asked },
      newEmail: asked,
      askedFrom: [network],
    });
  const user = await findUserByEmail(db, projectId, asked);
  if (user?.verifiedAt !== null || user.suspended) return;
  const before = await takeRegistered(db, { projectId, userId: user.id, now });
  const askedFrom = [...before.askedFrom, network];
  const to = { project, user: { ...user, email: asked }, askedFrom };
  await mailVerification(db, platform, { ...to, registered: before.registered });
}

async function isChangingTo(
  { db, now }: Pick<Call, 'db' | 'now'>,
  { projectId, newEmail, newEmailSession: sessionId }: UserRecord,
  asked: string,
): Promise<boolean> {
  return newEmail === asked && sessionId !== null && isSessionOpen(db, { projectId, sessionId, now });
}

export const verificationRoutes = [
  on(
    startVerification,
    ({ platform, inApp, body, now }) => {
      const email = normalEmail(body.email);
      return mayMail(platform, { of: inApp.projectId, purpose: 'verification', email, now });
    },
    async (call, isAllowed) => {
      if (isAllowed) await sendAgain(call);
    },
  ),

  on(
    verify,
    call => proofIn(call, verifying),
    async (call, hash) => {
      const acting = actingIn(call);
      const found = await takeProof(acting, hash, verifying);
      if (!found) throw wrongProof(call.body);
      const { email } = found.used;
      call.about = { ...aboutUser(call, found.user), fields: { email } };
      await confirmAddress(acting, found);
      return { email };
    },
  ),
];
