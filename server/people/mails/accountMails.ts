import { userLinkLife } from '#rules/time/lifetimes.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { renderEmailTemplate } from '#server/mail/emailTemplates/renderEmailTemplate.ts';
import { link } from '#server/mail/sending/mailLinks.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { makeUserCode, type Purpose, type Registered } from './userCodes.ts';

type Needs = Pick<Platform, 'sealing' | 'clock' | 'newId' | 'publicUrl'>;

interface About {
  project: { id: string; name: string };
  user: { id: string; name: string; email: string };
  /** The networks of those who asked for the e-mail. */
  askedFrom?: readonly string[];
}

/** The pages that links lead to: see `userPages`. */
const pages: Record<Purpose, string> = {
  verification: 'verify',
  emailChange: 'verify',
  reset: 'password',
  invite: 'password',
};

/** Verifies the address of an account that a user registered, which then gets the data of that registration. */
export async function mailVerification(
  db: Db,
  platform: Needs,
  { registered, ...about }: About & { registered: Registered | undefined },
): Promise<void> {
  const { email } = about.user;
  const proof = await proofFor(db, platform, about, { purpose: 'verification', email, registered });
  const letter = await renderEmailTemplate(db, about.project.id, 'user-verification', {
    ...dataOf(about),
    ...proof,
  });
  await queueMail(db, platform, { to: about.user.email, letter });
}

/** Sent to a person who was given an account, to choose its password. */
export async function mailInvitation(
  db: Db,
  platform: Needs,
  about: About & { inviterName: string },
): Promise<void> {
  const { 'link.code': _, ...proof } = await proofFor(db, platform, about, {
    purpose: 'invite',
    email: about.user.email,
  });
  const letter = await renderEmailTemplate(db, about.project.id, 'user-invite', {
    ...dataOf(about),
    ...proof,
    'inviter.name': about.inviterName,
  });
  await queueMail(db, platform, { to: about.user.email, letter });
}

export async function mailPasswordReset(db: Db, platform: Needs, about: About): Promise<void> {
  const proof = await proofFor(db, platform, about, { purpose: 'reset', email: about.user.email });
  const letter = await renderEmailTemplate(db, about.project.id, 'user-password-reset', {
    ...dataOf(about),
    ...proof,
  });
  await queueMail(db, platform, { to: about.user.email, letter });
}

/** Sent to the address that a user is changing to. */
export async function mailEmailUpdate(
  db: Db,
  platform: Needs,
  about: About & { newEmail: string },
): Promise<void> {
  const proof = await proofFor(db, platform, about, { purpose: 'emailChange', email: about.newEmail });
  const letter = await renderEmailTemplate(db, about.project.id, 'user-email-update', {
    ...dataOf(about),
    ...proof,
    'user.newEmail': about.newEmail,
  });
  await queueMail(db, platform, { to: about.newEmail, letter });
}

const dataOf = ({ project, user }: About) => ({
  'project.name': project.name,
  'user.name': user.name || user.email,
  'user.email': user.email,
});

async function proofFor(
  db: Db,
  platform: Needs,
  { project, user, askedFrom = [] }: About,
  sent: { purpose: Purpose; email: string; registered?: Registered | undefined },
) {
  const { purpose } = sent;
  const given = { projectId: project.id, userId: user.id, askedFrom, ...sent, now: platform.clock() };
  const { token, code } = await makeUserCode(db, platform, given);
  return {
    'link.url': link(platform.publicUrl(), `/u/${project.id}/${pages[purpose]}`, { token }),
    'link.validFor': userLinkLife[purpose].words,
    'link.code': code,
  };
}
