import { activate, type LoggedIn, signUp, startVerification, verify } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { checkNewPassword, hashPassword } from '#server/accounts/identity/password.ts';
import { mayMail } from '#server/accounts/identity/throttle.ts';
import { findOrganizationById } from '#server/accounts/organizations/store.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { emailChangeLetter, verificationLetter } from '#server/mail/sending/developerMails.ts';
import { accountExistsNotice } from '#server/mail/sending/notices.ts';
import { knownBrowser, rememberBrowser } from './knownBrowser.ts';
import { mailTo } from './mailTo.ts';
import { openSession } from './sessions.ts';
import { type DeveloperRow, findByEmail, findById, insertDeveloper } from './store.ts';
import { dropTokens, findToken, isOpen, makeToken, takeToken } from './tokens.ts';

declare module '#server/infra/platform.ts' {
  interface Platform {
    /** Creates the sample project of a new developer, in the transaction that creates the account. */
    welcome: (db: Db, developer: { id: string; orgId: string }) => Promise<void>;
  }
}

const signUpRoute = on(
  signUp,
  async ({ body, platform, now }) => {
    const org = await findOrganizationById(platform.db, body.orgId);
    if (!org) throw new Problem('ORG_NOT_FOUND');
    if (!org.openToSignUps) throw new Problem('SIGN_UPS_CLOSED');
    await checkNewPassword(body.password, 'password');
    const mailbox = { of: body.orgId, purpose: 'signUp', email: normalEmail(body.email), now };
    return { passwordHash: await hashPassword(body.password), isAllowed: await mayMail(platform, mailbox) };
  },
  async (call, { passwordHash, isAllowed }) => {
    const { db, body, now, platform } = call;
    const email = normalEmail(body.email);
    const id = platform.newId('dvl');
    call.about = { orgId: body.orgId, developerId: id, displayName: body.name, fields: { email } };
    // Also if the account exists already, because the answer must be the same: this id then belongs to nobody.
    rememberBrowser(call, id);
    const isNew = await insertDeveloper(db, {
      id,
      orgId: body.orgId,
      email,
      name: body.name,
      passwordHash,
      now,
    });
    const row = await findByEmail(db, body.orgId, email);
    if (!row) throw new Problem('DEVELOPER_NOT_FOUND');
    if (isNew) {
      await platform.welcome(db, row);
      await sendVerification(call, row, email);
    } else {
      call.about = { ...call.about, developerId: row.id };
      // A sign-up with a known address is reported by e-mail, which only its owner can read.
      if (isAllowed)
        await mailTo(db, platform, row, baseUrl => accountExistsNotice({ baseUrl, name: row.name }));
    }
  },
);

/** Sends the link that verifies an address; earlier links stop working. */
export async function sendVerification(call: Call, row: DeveloperRow, email: string): Promise<void> {
  const { db, platform, now } = call;
  await dropTokens(db, row.id, ['verification']);
  const given = { orgId: row.orgId, developerId: row.id, data: { email }, now };
  const token = await makeToken(db, 'verification', given);
  const letter = email === row.email ? verificationLetter : emailChangeLetter;
  await mailTo(db, platform, { orgId: row.orgId, email }, baseUrl =>
    letter({ baseUrl, name: row.name, token }),
  );
}

const startVerificationRoute = on(
  startVerification,
  async ({ platform, body: { orgId, email }, now }) => {
    const named = normalEmail(email);
    const row = await findByEmail(platform.db, orgId, named);
    const mailbox = { of: orgId, purpose: 'verification', email: (row && toVerify(row)) ?? named, now };
    return mayMail(platform, mailbox);
  },
  async (call, isAllowed) => {
    const { db, body } = call;
    const email = normalEmail(body.email);
    call.about = { orgId: body.orgId, fields: { email } };
    const row = await findByEmail(db, body.orgId, email);
    const to = row && toVerify(row);
    if (row && to && isAllowed) await sendVerification(call, row, to);
  },
);

/** The unverified address of an account, if it has one. */
const toVerify = ({ verified, email, pendingEmail }: DeveloperRow) => (verified ? pendingEmail : email);

const verifyRoute = on(verify, async call => {
  const { db, body, now } = call;
  const token = await takeToken(db, 'verification', body.token, now);
  const row = await developerOf(db, body.token, token?.developerId);
  const email = token?.data.email;
  if (!token || !row || row.suspended || !email || (email !== row.email && email !== row.pendingEmail)) {
    throw new Problem(row?.verified && !row.pendingEmail ? 'ALREADY_VERIFIED' : 'INVALID_LINK');
  }
  call.about = { orgId: row.orgId, developerId: row.id, displayName: row.name, fields: { email } };
  await db.run(sql`
    update developers set email = ${email}, verified = true, pending_email = null, pending_session = null,
      revision = revision + 1
    where id = ${row.id}`);
  const signedIn = await signInAtOnce(call, row);
  return { email, ...signedIn };
});

/**
 * The developer chose the password in this browser at sign-up and now verifies the address: together, that is a
 * sign-in.
 */
async function signInAtOnce(call: Call, row: DeveloperRow): Promise<LoggedIn | undefined> {
  if (row.verified || row.suspended || row.totpActive || call.session || !knownBrowser(call, row.id))
    return undefined;
  return openSession(call, (await findById(call.db, row.id)) ?? row, null);
}

/** The developer a link belongs to, even if the link was used before. */
async function developerOf(
  db: Db,
  text: string,
  id: string | null | undefined,
): Promise<DeveloperRow | undefined> {
  const developerId = id ?? (await findToken(db, 'verification', text))?.developerId;
  return developerId ? findById(db, developerId) : undefined;
}

const activateRoute = on(
  activate,
  async ({ body, platform, now }) => {
    // Hashing is expensive: only callers with a valid link cause it.
    if (!(await isOpen(platform.db, 'activation', body.token, now))) throw new Problem('INVALID_LINK');
    await checkNewPassword(body.password, 'password');
    return hashPassword(body.password);
  },
  async (call, passwordHash) => {
    const { db, body, now, platform } = call;
    const token = await takeToken(db, 'activation', body.token, now);
    const row = token?.developerId ? await findById(db, token.developerId) : undefined;
    if (!row || row.passwordHash !== null) throw new Problem('INVALID_LINK');
    call.about = {
      orgId: row.orgId,
      developerId: row.id,
      displayName: body.name,
      fields: { email: row.email },
      inProjects: true,
    };
    await publishToTeams(call, row.id);
    await db.run(sql`
      update developers
      set name = ${body.name}, password_hash = ${passwordHash}, verified = true, revision = revision + 1
      where id = ${row.id}`);
    await platform.welcome(db, row);
    return { email: row.email, orgId: row.orgId };
  },
);

/** Updates the team on open screens: the invitation was accepted. */
async function publishToTeams({ db, platform, afterCommit }: Call, developerId: string): Promise<void> {
  const teams = await db.many<{ projectId: string }>(sql`
    select project_id as "projectId" from project_members where developer_id = ${developerId} limit 50`);
  afterCommit(() => {
    for (const { projectId } of teams)
      publishLive(platform, projectId, { kind: 'changed', path: `/projects/${projectId}/members` });
  });
}

export const signUpRoutes = [signUpRoute, startVerificationRoute, verifyRoute, activateRoute];
