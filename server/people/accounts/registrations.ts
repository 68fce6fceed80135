import { register } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { mayMail } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import { openInvitation } from '#server/people/invitations/openInvitation.ts';
import { mailVerification } from '#server/people/mails/accountMails.ts';
import { alreadyRegistered } from '#server/people/mails/accountNotices.ts';
import { peekCode } from '#server/people/mails/userCodes.ts';
import { insertUser, lockUserByEmail, setProfile, setUserPassword } from '#server/people/users/userStore.ts';
import { setPasswordByMail } from './accountActs.ts';
import { aboutUser, actingIn } from './inApp.ts';
import { registerInvited } from './registerInvited.ts';
import { checkPasswordsUsed, hashUserPassword } from './userPasswords.ts';

type Registering = Call<typeof register>;

/** An invitation to the project or to a home proves only the address it was sent to. */
async function checkInvitation(
  { platform: { db }, inApp: { projectId }, body, now }: Registering,
  token: string,
): Promise<'account' | 'home'> {
  const wanted = { projectId, hash: hashToken(token), purposes: ['invite'], now } as const;
  const toAccount = await peekCode(db, wanted);
  const toHome = toAccount ? undefined : await openInvitation(db, { projectId, token, now });
  const email = (toAccount ?? toHome)?.email;
  if (email === undefined || email !== normalEmail(body.email)) throw new Problem('INVALID_LINK');
  return toAccount ? 'account' : 'home';
}

async function registerByMail(call: Registering, passwordHash: string, mayWrite: boolean): Promise<void> {
  const { db, platform, inApp, body, now, from } = call;
  const { projectId, projectName } = inApp;
  const email = normalEmail(body.email);
  const { name, language } = body;
  const given = {
    id: platform.newId('usr'),
    projectId,
    email,
    name,
    language,
    passwordHash,
    createdIn: inApp.id,
  };
  const isNew = await insertUser(db, { ...given, now });
  // Locked, because its owner may be verifying the address now; after that, a second registration has no effect.
  const user = await lockUserByEmail(db, projectId, email);
  if (!user) throw new Error('A user who registered is not there.');
  const project = { id: projectId, name: projectName };
  if (user.verifiedAt !== null || user.suspended) {
    // Registration with a known address is reported only by e-mail, which only the owner of the address reads.
    const to = { project, name: user.name, email };
    if (mayWrite) await alreadyRegistered(db, platform, to, { at: now, address: from.address });
    return;
  }
  call.about = aboutUser(call, user);
  // The e-mail that the owner of the address uses decides which registration counts.
  if (!isNew) {
    await setUserPassword(db, user, { passwordHash, now });
    await setProfile(db, user, { name, language });
  }
  const shown = name ?? user.name;
  if (!mayWrite) return;
  const registered = { passwordHash, name, language };
  const to = { project, user: { id: user.id, name: shown, email }, askedFrom: [networkOf(from.address)] };
  await mailVerification(db, platform, { ...to, registered });
}

export const registrationRoute = on(
  register,
  async call => {
    checkPasswordsUsed(call);
    const { platform, inApp, body, now } = call;
    const { projectId, restrictUserReg } = inApp;
    const { invitation } = body;
    const invitedTo = invitation === undefined ? undefined : await checkInvitation(call, invitation);
    if (!invitedTo && restrictUserReg) throw new Problem('REGISTRATION_RESTRICTED');
    const given = { password: body.password, field: 'password' };
    const passwordHash = await hashUserPassword(platform.db, projectId, given);
    const mailbox = { of: projectId, purpose: 'verification', email: normalEmail(body.email), now };
    return {
      passwordHash,
      invitedTo,
      invitation: hashToken(invitation ?? ''),
      mayWrite: invitedTo !== undefined || (await mayMail(platform, mailbox)),
    };
  },
  async (call, { passwordHash, invitedTo, invitation, mayWrite }) => {
    const { name, language, email } = call.body;
    if (!invitedTo) return registerByMail(call, passwordHash, mayWrite);
    // It is still valid for joining the home, so it must not appear in the log.
    call.body = { ...call.body, invitation: '•••' };
    const acting = actingIn(call);
    const given = { name, language, passwordHash, email: normalEmail(email), createdIn: call.inApp.id };
    const user =
      invitedTo === 'home'
        ? await registerInvited(acting, given)
        : await setPasswordByMail(acting, invitation, passwordHash);
    if (invitedTo === 'account') await setProfile(call.db, user, { name, language });
    call.about = aboutUser(call, user);
  },
);
