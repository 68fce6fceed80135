import { activateAuth2F, deactivateAuth2F, logInWithCode, verifyAuth2F } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { verifyPassword } from '#server/accounts/identity/password.ts';
import { countGuess, type Guess } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { sql } from '#server/infra/db/sql.ts';
import { finishLogIn } from './logIn.ts';
import { acceptRecoveryCode, makeRecoveryCodes } from './recoveryCodes.ts';
import { type DeveloperRow, findById, lockById } from './store.ts';
import { dropTokens, type Token } from './tokens.ts';
import { acceptCode, dropSecondFactor, newTotp } from './totp.ts';

const attemptsMax = 5;

/**
 * Counts the attempt outside the call's transaction, so that a failure cannot undo it; undefined if there were too many
 * attempts or the token has expired.
 */
function countAttempt({ platform, now }: Call, token: string): Promise<Token | undefined> {
  return platform.db.one<Token>(sql`
    update tokens set attempts = attempts + 1
    where hash = ${hashToken(token)} and purpose = 'auth2F' and used_at is null and expires_at > ${now}
      and attempts < ${attemptsMax}
    returning org_id as "orgId", developer_id as "developerId", data`);
}

/** A second limit across all sign-ins: anyone who has the password can request any number of tokens. */
function countCode(call: Call, developerId: string): Promise<Guess> {
  return countGuess(call.platform, { account: `code ${developerId}`, from: undefined, now: call.now });
}

async function proveOwnPassword(call: Call, password: string): Promise<DeveloperRow> {
  const { platform, me, now } = call;
  const guess = await countGuess(platform, { account: `own ${me.developerId}`, from: undefined, now });
  const row = await findById(platform.db, me.developerId);
  if (!row || !(await verifyPassword(password, row.passwordHash))) throw wrongPassword();
  await guess.succeed(platform.db);
  return row;
}

const wrongPassword = () => new Problem('WRONG_PASSWORD', { fields: { password: 'WRONG_PASSWORD' } });

/** Locks the row: a password that was replaced after the comparison no longer proves anything. */
async function lockOwn({ db }: Call, { id, passwordHash }: DeveloperRow): Promise<DeveloperRow> {
  const row = await lockById(db, id);
  if (row?.passwordHash !== passwordHash) throw wrongPassword();
  return row;
}

export const twoFactorRoutes = [
  on(
    logInWithCode,
    async call => {
      const token = await countAttempt(call, call.body.token);
      const row = token?.developerId ? await findById(call.platform.db, token.developerId) : undefined;
      if (!row) throw new Problem('AUTH2F_EXPIRED');
      call.about = {
        orgId: row.orgId,
        developerId: row.id,
        displayName: row.name,
        fields: { email: row.email },
      };
      if (row.suspended) throw new Problem('ACCOUNT_SUSPENDED');
      return { row, guess: await countCode(call, row.id) };
    },
    async (call, { row, guess }) => {
      const { code, recoveryCode } = call.body;
      // A new password deletes the token; a password change in progress waits for this lock, and then ends this
      // session.
      await lockById(call.db, row.id);
      if (recoveryCode) await acceptRecoveryCode(call, row.id, recoveryCode);
      else await acceptCode(call, row.id, code ?? '');
      // Only the call that deletes the token signs in: of two concurrent calls with the same code, one is refused.
      const deleted = await call.db.run(sql`delete from tokens where hash = ${hashToken(call.body.token)}`);
      if (!deleted) throw new Problem('AUTH2F_EXPIRED');
      await guess.succeed(call.db);
      return finishLogIn(call, row);
    },
  ),

  on(
    activateAuth2F,
    call => proveOwnPassword(call, call.body.password),
    async (call, proven) => {
      const { db, platform } = call;
      const row = await lockOwn(call, proven);
      if (row.totpActive) throw new Problem('AUTH2F_ALREADY_ACTIVE');
      const { auth2FSecret, auth2FUrl } = newTotp(row.email);
      await db.run(sql`
        update developers set totp_secret = ${platform.sealing.seal(auth2FSecret)}, totp_last_step = 0
        where id = ${row.id}`);
      return { auth2FSecret, auth2FUrl };
    },
  ),

  on(
    verifyAuth2F,
    call => countCode(call, call.me.developerId),
    async (call, guess) => {
      const { db, me } = call;
      await acceptCode(call, me.developerId, call.body.code);
      await guess.succeed(db);
      const activated = await db.run(sql`
        update developers set totp_active = true, revision = revision + 1
        where id = ${me.developerId} and not totp_active`);
      if (!activated) throw new Problem('AUTH2F_ALREADY_ACTIVE');
      return { recoveryCodes: await makeRecoveryCodes(db, me.developerId) };
    },
  ),

  on(
    deactivateAuth2F,
    call => proveOwnPassword(call, call.body.password),
    async (call, proven) => {
      const { db } = call;
      const row = await lockOwn(call, proven);
      if (!row.totpActive) throw new Problem('AUTH2F_NOT_ACTIVE');
      await dropSecondFactor(db, row.id);
      await dropTokens(db, row.id, ['auth2F']);
    },
  ),
];
