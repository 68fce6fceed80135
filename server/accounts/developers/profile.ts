import { editDeveloper, readDeveloper } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { proofMaxAgeMs } from '#rules/time/lifetimes.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { countMail } from '#server/accounts/identity/throttle.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { sql } from '#server/infra/db/sql.ts';
import { emailChangeNotice } from '#server/mail/sending/notices.ts';
import { mailTo } from './mailTo.ts';
import { sendVerification } from './signUp.ts';
import { type DeveloperRow, findById, setPendingEmail, toDeveloper } from './store.ts';

export const profileRoutes = [
  on(readDeveloper, async ({ db, me }) => toDeveloper(await own(db, me.developerId), me.sudoer)),

  on(editDeveloper, checkEmailChange, async call => {
    const { db, me, body } = call;
    await db.run(sql`select from developers where id = ${me.developerId} for update`);
    const row = await own(db, me.developerId);
    call.before = { ...toDeveloper(row, me.sudoer) };
    refuseStale(call, call.before);
    if (body.name !== undefined) {
      await db.run(
        sql`update developers set name = ${body.name}, revision = revision + 1 where id = ${row.id}`,
      );
    }
    if (body.email !== undefined) await startEmailChange(call, row, normalEmail(body.email));
    if (body.onboardStates) await setFlags(call, Object.keys(body.onboardStates));
    return toDeveloper(await own(db, row.id), me.sudoer);
  }),
];

async function own(db: Call['db'], id: string): Promise<DeveloperRow> {
  const row = await findById(db, id);
  if (!row) throw new Problem('DEVELOPER_NOT_FOUND');
  return row;
}

/** Checked before anything is counted, and again when the change is made. */
async function checkEmailChange(call: Call<typeof editDeveloper>): Promise<void> {
  const { platform, me, body, now } = call;
  if (body.email === undefined) return;
  const email = normalEmail(body.email);
  mayChangeEmail(call, await own(platform.db, me.developerId), email);
  await countMail(platform, { of: me.orgId, purpose: 'verification', email, now });
}

function mayChangeEmail({ me, now }: Call, row: DeveloperRow, email: string): void {
  if (me.sudoer) throw new Problem('NOT_IN_SUDO');
  if (now.getTime() - me.provedAt.getTime() > proofMaxAgeMs) throw new Problem('REAUTH_REQUIRED');
  if (email === row.email) throw new Problem('EMAIL_UNCHANGED', { fields: { email: 'EMAIL_UNCHANGED' } });
}

/** The new address takes effect once it is verified; until then, the old one signs in. */
async function startEmailChange(call: Call, row: DeveloperRow, email: string): Promise<void> {
  const { db, platform } = call;
  mayChangeEmail(call, row, email);
  await setPendingEmail(db, row, { email, sessionId: call.session?.id });
  await sendVerification(call, { ...row, pendingEmail: email }, email);
  // Sent at the request, not after the change: an owner who did not request it can still change the password, which
  // cancels it.
  await mailTo(db, platform, row, baseUrl => emailChangeNotice({ baseUrl, name: row.name, newEmail: email }));
}

/** Each flag keeps the time it was first set, by the server's clock. */
async function setFlags({ db, me, now }: Call, flags: string[]): Promise<void> {
  const states = JSON.stringify(Object.fromEntries(flags.map(flag => [flag, now.toISOString()])));
  await db.run(sql`
    update developers set onboard_states = ${states}::jsonb || onboard_states, revision = revision + 1
    where id = ${me.developerId}`);
}
