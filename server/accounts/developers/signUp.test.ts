import { describe, expect, it } from 'vitest';
import { logIn, signUp } from '#contract/account.ts';
import { listProjects } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { theWorld, unique } from '#test/world.ts';

const world = theWorld({ SAMPLE_PROJECT: 'on' });

const password = 'four words of nonsense';
const aSignUp = (email = `${unique('new')}@example.com`) => ({
  email,
  name: 'Grace Hopper',
  orgId: 'default',
  password,
});
const join = (body: ReturnType<typeof aSignUp>) => world.visitor().client.call(signUp, { body });

async function accountsLike(pattern: string): Promise<string[]> {
  const rows = await world.platform.db.many<{ email: string }>(sql`
    select email from developers where email like ${pattern} order by email`);
  return rows.map(row => row.email);
}

describe('a sign-up', () => {
  it('returns nothing, opens no session and sends one link to the console', async () => {
    const body = aSignUp();
    const answer = await rawCall(world.visitor().fetch, ['POST', `${world.url}/api/developers`], body);
    expect([answer.status, answer.text]).toEqual([204, '']);
    // Verification recognizes the browser by this cookie.
    expect(answer.headers.getSetCookie().map(line => line.split('=')[0])).toEqual(['mooring_browser']);
    const mails = await world.mailsTo(body.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`${world.url}/verify?token=`);
  });

  it('creates a sample project whose owner is the new developer', async () => {
    const { client } = await world.aDeveloper();
    const { items } = await client.call(listProjects);
    expect(items.map(({ isSample, role }) => [isSample, role])).toEqual([[true, 'owner']]);
  });

  it('with a known e-mail answers the same, changes nothing and notifies the owner by e-mail', async () => {
    const owner = await world.aDeveloper();
    const fresh = await rawCall(world.visitor().fetch, ['POST', `${world.url}/api/developers`], aSignUp());
    const known = await rawCall(
      world.visitor().fetch,
      ['POST', `${world.url}/api/developers`],
      aSignUp(owner.email.toUpperCase()),
    );
    expect([known.status, known.text]).toEqual([fresh.status, fresh.text]);
    expect([...known.headers.keys()]).toEqual([...fresh.headers.keys()]);
    const [mail] = await world.mailsTo(owner.email);
    expect(mail?.subject).toBe('You already have an account');
    const body = { email: owner.email, orgId: 'default', password };
    await failing(world.visitor().client.call(logIn, { body }), 'LOGIN_FAILED');
  });

  it('with one address from fifty browsers at once creates one account', async () => {
    const body = aSignUp();
    await Promise.all(Array.from({ length: 50 }, () => join(body)));
    expect(await accountsLike(body.email)).toHaveLength(1);
    const projects = await world.platform.db.many(sql`
      select p.id from projects p join developers d on d.id = p.created_by where d.email = ${body.email}`);
    expect(projects).toHaveLength(1);
  });

  it('is refused by a closed organization, and by one that does not exist', async () => {
    await world.platform.db.run(
      sql`insert into organizations (id, name, open_to_sign_ups) values ('closed', 'Closed', false)`,
    );
    await failing(join({ ...aSignUp(), orgId: 'closed' }), 'SIGN_UPS_CLOSED');
    await failing(join({ ...aSignUp(), orgId: 'nowhere' }), 'ORG_NOT_FOUND');
    await failing(join({ ...aSignUp(), orgId: 'a'.repeat(65) }), 'INVALID_FIELDS');
    await failing(join({ ...aSignUp(), orgId: 'a'.repeat(200) }), 'INVALID_FIELDS');
  });
});

describe('a password', () => {
  it.each(['password123', 'PASSWORD123', 'ｐａｓｓｗｏｒｄ１２３'])(
    'that is common is refused: %s',
    async weak => {
      const { fields } = await failing(join({ ...aSignUp(), password: weak }), 'WEAK_PASSWORD');
      expect(fields).toEqual({ password: 'WEAK_PASSWORD' });
    },
  );

  it.each([
    ['seven characters', 'Xq7vL2p'],
    ['seven emoji', '🦑🦀🐙🦞🦐🐚🪸'],
    ['257 characters', 'ab'.repeat(129)],
    ['a thousand', 'abcd'.repeat(250)],
    ['nothing', ''],
  ])('of %s is refused', async (_, given) => {
    const { fields } = await failing(join({ ...aSignUp(), password: given }), 'INVALID_FIELDS');
    expect(Object.keys(fields)).toEqual(['password']);
  });

  it.each([
    ['256 characters', 'ab'.repeat(128)],
    ['eight emoji', '🦑🦀🐙🦞🦐🐚🪸🐳'],
    ['blanks alone', ' '.repeat(12)],
  ])('of %s is accepted and opens the account', async (_, given) => {
    const body = { ...aSignUp(), password: given };
    await join(body);
    const { email, orgId } = body;
    const answer = await world.visitor().client.call(logIn, { body: { email, orgId, password: given } });
    expect(answer).toHaveProperty('developer.email', email);
  });
});
