import { describe, expect, it } from 'vitest';
import {
  activateAuth2F,
  changePassword,
  deactivateAuth2F,
  editDeveloper,
  endSession,
  listSessions,
  logIn,
  logInWithCode,
  logOut,
  resetPassword,
  startPasswordReset,
  startSudo,
  verifyAuth2F,
} from '#contract/account.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { auditOf } from '#test/rows.ts';
import { codeOf } from '#test/secondFactor.ts';
import { aSudoLink } from '#test/sudoLink.ts';
import { type SignedIn, theWorld, unique } from '#test/world.ts';

const world = theWorld();

const newest = async (email: string) => (await world.mailsTo(email))[0]?.token ?? '';

/** Does everything a developer can do with an account; returns every secret that was used. */
async function aLife(owner: SignedIn): Promise<string[]> {
  const { client, email, password, developer } = owner;
  const params = { developerId: developer.id };
  const secrets = [password, owner.cookies.get('mooring') ?? ''];
  const { auth2FSecret, auth2FUrl } = await client.call(activateAuth2F, { body: { password } });
  const code = codeOf(world, auth2FSecret);
  const { recoveryCodes } = await client.call(verifyAuth2F, { body: { code } });
  const second = world.visitor();
  const first = await second.client.call(logIn, { body: { email, password, orgId: 'default' } });
  const token = 'auth2FToken' in first ? first.auth2FToken : '';
  await second.client.call(logInWithCode, { body: { token, recoveryCode: recoveryCodes[0] ?? '' } });
  const [other] = (await client.call(listSessions, { params })).filter(({ current }) => !current);
  await client.call(endSession, { params: { ...params, sessionId: other?.id ?? '' } });
  await client.call(deactivateAuth2F, { body: { password } });
  const changed = 'another four words';
  await client.call(changePassword, {
    body: { email, orgId: 'default', oldPassword: password, newPassword: changed },
  });
  await client.call(editDeveloper, { params, body: { name: 'Ada King' } });
  const link = await aSudoLink(world, owner);
  await world.visitor().client.call(startSudo, { body: link });
  await client.call(logOut);
  await client.call(startPasswordReset, { body: { email, orgId: 'default' } });
  const reset = await newest(email);
  const again = 'yet another four words';
  await client.call(resetPassword, { body: { token: reset, newPassword: again } });
  secrets.push(auth2FSecret, auth2FUrl, code, ...recoveryCodes, token, changed, link.token, reset, again);
  return secrets.filter(Boolean);
}

describe('the audit log', () => {
  it('has one entry for each change to an account, and none contains a secret', async () => {
    const owner = await world.aDeveloper();
    const secrets = await aLife(owner);
    const actions = (await auditOf(world, owner.developer.id)).map(({ action }) => action);
    expect(actions).toEqual([
      'signUp',
      'verify',
      'logIn',
      'activateAuth2F',
      'verifyAuth2F',
      'logIn',
      'logInWithCode',
      'endSession',
      'deactivateAuth2F',
      'changePassword',
      'editDeveloper',
      'startSudo',
      'logOut',
      'resetPassword',
    ]);
    const rows = await world.platform.db.many<{ row: string }>(sql`select l::text as row from log_entries l`);
    const log = rows.map(({ row }) => row).join('\n');
    expect(secrets.filter(secret => log.includes(secret))).toEqual([]);
  });

  it('records refused logins, even for an unknown e-mail, with their address', async () => {
    const { email, developer } = await world.aDeveloper();
    const nobody = `${unique('nobody')}@example.com`;
    for (const tried of [email, nobody]) {
      const body = { email: tried, password: 'wrong horse', orgId: 'default' };
      await failing(world.visitor().client.call(logIn, { body }), 'LOGIN_FAILED');
    }
    const rows = await world.platform.db.many(sql`
      select level, subject, text, detail->>'reason' as reason, detail->>'address' as address from log_entries
      where project_id = 'default' and action = 'logIn' and level = 1 order by ts, id`);
    const refused = { level: 1, reason: 'LOGIN_FAILED', address: '127.0.0.1' };
    expect(rows).toEqual([
      { ...refused, subject: developer.id, text: `Refused (LOGIN_FAILED): Sign-in as ${email}` },
      { ...refused, subject: null, text: `Refused (LOGIN_FAILED): Sign-in as ${nobody}` },
    ]);
  });

  it('stores a change and its entry in one transaction', async () => {
    const owner = await world.aDeveloper();
    const params = { developerId: owner.developer.id };
    await owner.client.call(editDeveloper, { params, body: { name: 'Ada King' } });
    const rows = await world.platform.db.many(sql`
      select l.xmin::text = d.xmin::text as together from log_entries l join developers d on d.id = l.subject
      where d.id = ${owner.developer.id} and l.action = 'editDeveloper'`);
    expect(rows).toEqual([{ together: true }]);
  });

  it('of a project records nothing from a stranger who gives its id as an organization', async () => {
    const owner = await world.aDeveloper();
    const project = await world.aProject(owner);
    const { client } = world.visitor();
    const body = { email: owner.email, orgId: project.id };
    await failing(client.call(logIn, { body: { ...body, password: 'wrong horse' } }), 'LOGIN_FAILED');
    await client.call(startPasswordReset, { body });
    expect((await auditOf(world, project.id)).map(({ action }) => action)).toEqual(['createProject']);
  });

  it('records a refusal in no account’s log if none could be identified', async () => {
    const body = { token: 'x'.repeat(43), newPassword: 'another four words' };
    await failing(world.visitor().client.call(resetPassword, { body }), 'INVALID_LINK');
    const rows = await world.platform.db.many(sql`
      select project_id as log, subject from log_entries where action = 'resetPassword' and level = 1`);
    expect(rows).toEqual([]);
  });
});
