import { logIn } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { deviceName } from '#server/accounts/identity/deviceName.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { verifyPassword } from '#server/accounts/identity/password.ts';
import { countGuess, type Guess } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { sql } from '#server/infra/db/sql.ts';
import { newSignInNotice } from '#server/mail/sending/notices.ts';
import { knownBrowser, rememberBrowser } from './knownBrowser.ts';
import { mailTo } from './mailTo.ts';
import { openSession } from './sessions.ts';
import { type DeveloperRow, findAnywhere, lockProven } from './store.ts';
import { makeToken } from './tokens.ts';

/**
 * Proves e-mail and password, and counts the guess. An unknown account, a suspended one and a wrong password take the
 * same time and count the same. A right password is not a guess, even if the sign-in is refused for another reason. A
 * developer who proves an account of another organization is told so.
 */
export async function provePassword(
  call: Call,
  given: { orgId: string; email: string; password: string },
): Promise<DeveloperRow> {
  const { db } = call.platform;
  const email = normalEmail(given.email);
  const found = await findAnywhere(db, given.orgId, email);
  const row = found?.orgId === given.orgId ? found : undefined;
  call.about = {
    orgId: given.orgId,
    ...(row && { developerId: row.id, displayName: row.name }),
    fields: { email, step: 'Sign-in' },
  };
  const known = row && knownBrowser(call, row.id);
  const guess = await countGuess(call.platform, {
    account: `${given.orgId} ${email}`,
    known,
    from: { kind: 'developers', address: call.from.address },
    now: call.now,
  });
  const elsewhere = await countElsewhere(call, email);
  const compared = row ?? (elsewhere && found);
  const proven = await verifyPassword(given.password, compared?.passwordHash);
  if (!proven) throw new Problem('LOGIN_FAILED');
  await (row ? guess : elsewhere)?.succeed(db);
  // A developer who signs in at the organization of the account has not guessed at any other.
  if (row) await elsewhere?.takeBack(db);
  if (!row) throw new Problem('LOGIN_ORG_MISMATCH');
  if (row.suspended) throw new Problem('ACCOUNT_SUSPENDED');
  return row;
}

/**
 * Counts a guess at this address in any organization: with a count for each, every organization would allow more
 * guesses. Past the limit nothing is compared; this looks like a wrong password and does not reveal where the account
 * is.
 */
async function countElsewhere(call: Call, email: string): Promise<Guess | undefined> {
  try {
    const guess = { account: `elsewhere ${email}`, from: undefined, now: call.now };
    return await countGuess(call.platform, guess);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Opens the session of a developer who has completed all steps, and notifies them if the browser is new. */
export async function finishLogIn(call: Call, row: DeveloperRow) {
  const { db, platform, now, from } = call;
  if (!knownBrowser(call, row.id)) {
    const isFirst = await isFirstSignIn(call, row.id);
    rememberBrowser(call, row.id);
    if (!isFirst) {
      const happened = { name: row.name, device: deviceName(from.userAgent), address: from.address, at: now };
      await mailTo(db, platform, row, baseUrl => newSignInNotice({ baseUrl, ...happened }));
    }
  }
  return openSession(call, row, null);
}

/**
 * The first browser of a new account is not reported. An account counts as new for an hour at most, even if it has
 * signed out everywhere.
 */
async function isFirstSignIn({ db, now }: Call, developerId: string): Promise<boolean> {
  const known = await db.one(sql`
    select 1 as found from developers d
    where d.id = ${developerId} and (d.created_at < ${now}::timestamptz - interval '1 hour'
      or exists (select from sessions s where s.developer_id = d.id))`);
  return known === undefined;
}

export const logInRoute = on(
  logIn,
  call => provePassword(call, call.body),
  async (call, proven) => {
    const row = await lockProven(call.db, proven);
    if (row.requireVerification && !row.verified) throw new Problem('UNVERIFIED_ACCOUNT');
    if (!row.totpActive) return finishLogIn(call, row);
    // After one of two factors, the developer is not signed in yet.
    Object.assign(call.about?.fields ?? {}, { step: 'First of two sign-in steps' });
    const given = { orgId: row.orgId, developerId: row.id, now: call.now };
    return { auth2FToken: await makeToken(call.db, 'auth2F', given) };
  },
);
