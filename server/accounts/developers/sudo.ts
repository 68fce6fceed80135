import { startSudo } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { on } from '#server/api/endpoints/route.ts';
import { supportSessionNotice } from '#server/mail/sending/notices.ts';
import { mailTo } from './mailTo.ts';
import { openSession } from './sessions.ts';
import { findById } from './store.ts';
import { findToken, takeToken } from './tokens.ts';

/** Starts a support session with a link that an operator created; the developer is notified by e-mail. */
export const sudoRoute = on(startSudo, async call => {
  const { db, body, now, platform, from } = call;
  const email = normalEmail(body.email);
  call.about = { orgId: body.orgId, bySudoer: true, fields: { email, sudoer: body.sudoer } };
  const made = await findToken(db, 'sudo', body.token);
  if (made && made.orgId !== body.orgId) throw new Problem('ORG_MISMATCHED');
  const row = made?.developerId ? await findById(db, made.developerId) : undefined;
  const fits = row && row.email === email && made?.data.sudoer === body.sudoer && !row.suspended;
  if (!fits || !(await takeToken(db, 'sudo', body.token, now))) throw new Problem('INVALID_LINK');
  call.about = { ...call.about, developerId: row.id, displayName: row.name };
  const happened = { name: row.name, sudoer: body.sudoer, at: now, address: from.address };
  await mailTo(db, platform, row, baseUrl => supportSessionNotice({ baseUrl, ...happened }));
  return openSession(call, row, body.sudoer);
});
