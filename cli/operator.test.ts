import { beforeAll, describe, expect, it } from 'vitest';
import { activate, logIn, readDeveloper, signUp, startSudo } from '#contract/account.ts';
import { findOrganization, readOrganization } from '#contract/organization.ts';
import { createProject } from '#contract/project.ts';
import { failing } from '#test/failing.ts';
import { operatorOf, type Said } from '#test/operator.ts';
import { auditOf } from '#test/rows.ts';
import { anAuthenticator } from '#test/secondFactor.ts';
import { theWorld, unique } from '#test/world.ts';

// The commands run beside a running server, as an operator runs them.
const world = theWorld();
let mooring: (...words: string[]) => Promise<Said>;
beforeAll(async () => {
  mooring = operatorOf(world);
});

async function done(...words: string[]): Promise<string> {
  const { code, out, err } = await mooring(...words);
  expect([code, err]).toEqual([0, '']);
  return out;
}
const anOrg = async () => {
  const id = unique('org');
  await done('org', 'create', id, '--name', 'Acme');
  return id;
};

describe('org', () => {
  it('create makes an organization that people can sign up to at once, and list shows it', async () => {
    const id = unique('org');
    expect(await done('org', 'create', id, '--name', 'Acme & Sons')).toContain(`/orgs/${id}/`);
    const found = await world.visitor().client.call(readOrganization, { params: { org: id } });
    expect(found).toEqual({ id, name: 'Acme & Sons', openToSignUps: true });
    expect(await done('org', 'list')).toMatch(new RegExp(`${id} +Acme & Sons +open +0`));
  });

  it('close and open decide who can sign up', async () => {
    const org = await anOrg();
    const join = () => {
      const body = {
        orgId: org,
        name: 'Grace',
        email: `${unique('new')}@example.com`,
        password: 'four odd words',
      };
      return world.visitor().client.call(signUp, { body });
    };
    await done('org', 'close', org);
    await failing(join(), 'SIGN_UPS_CLOSED');
    await done('org', 'open', org);
    await join();
  });

  it('set assigns a console URL, and removes it', async () => {
    const org = await anOrg();
    const url = `https://${org}.example`;
    const find = async () => {
      const query = { devConsoleBaseUrl: url };
      return (await world.visitor().client.call(findOrganization, { query }))[0]?.id;
    };
    await done('org', 'set', org, 'console-url', `${url}/`);
    expect(await find()).toBe(org);
    const { code, err } = await mooring('org', 'set', 'default', 'console-url', url);
    expect([code, err]).toEqual([2, expect.stringContaining('Another organization already has this value.')]);
    await done('org', 'set', org, 'console-url', 'none');
    expect(await find()).toBe('default');
  });
});

describe('org require-two-factor', () => {
  it('is reported at sign-in, keeps developers without it out of projects, and --off ends it at once', async () => {
    const orgId = await anOrg();
    const owner = await world.aDeveloper({ orgId });
    const body = { email: owner.email, password: owner.password, orgId };
    const create = () => owner.client.call(createProject, { body: { name: 'One more' } });
    expect(await done('org', 'require-two-factor', orgId)).toContain(
      '1 of 1 developers has not turned it on',
    );
    const answer = await owner.client.call(logIn, { body });
    expect(answer).toMatchObject({ developer: { auth2FActivated: false, auth2FRequired: true } });
    await failing(create(), 'TWO_FACTOR_REQUIRED');
    await done('org', 'require-two-factor', orgId, '--off');
    await create();
    expect(await owner.client.call(logIn, { body })).not.toHaveProperty('developer.auth2FRequired');
    await done('org', 'require-two-factor', orgId);
    await anAuthenticator(world, owner);
    await create();
    expect(await done('org', 'require-two-factor', orgId)).toContain('All its developers have turned it on.');
    const entries = (await auditOf(world, orgId)).filter(({ action }) => action === 'editOrganization');
    expect(entries.at(-1)?.text).toBe(`Organization ${orgId} requires two-factor authentication`);
  });
});

describe('developer', () => {
  it('list shows all developers with their state', async () => {
    const org = await anOrg();
    const { email } = await world.aDeveloper({ orgId: org });
    expect(await done('developer', 'list', org)).toMatch(new RegExp(`${email} +Ada Lovelace +verified +10`));
  });

  it('suspend signs out at once, and resume allows signing in again only with the password', async () => {
    const { email, password, developer, client: theirs } = await world.aDeveloper();
    const read = () => theirs.call(readDeveloper, { params: { developerId: developer.id } });
    await done('developer', 'suspend', 'default', email.toUpperCase());
    await failing(read(), 'ACCOUNT_SUSPENDED');
    await done('developer', 'resume', 'default', email);
    await failing(read(), 'NO_LOGIN');
    await theirs.call(logIn, { body: { email, password, orgId: 'default' } });
    const entries = (await auditOf(world, developer.id)).filter(({ action }) => action === 'editDeveloper');
    expect(entries.map(({ actor, text }) => [actor.callerType, actor.id, text])).toEqual([
      ['operator', 'olga', `Developer ${email} suspended`],
      ['operator', 'olga', `Developer ${email} resumed`],
    ]);
  });

  it('limit sets the maximum number of projects', async () => {
    const owner = await world.aDeveloper();
    const create = () => owner.client.call(createProject, { body: { name: 'One more' } });
    expect(await done('developer', 'limit', 'default', owner.email, '1')).toContain('limited to 1 project.');
    await create();
    await failing(create(), 'PROJECT_LIMIT_REACHED');
    await done('developer', 'limit', 'default', owner.email, '2');
    await create();
  });

  it('invite sends a link that creates an account, even in a closed organization', async () => {
    const org = await anOrg();
    await done('org', 'close', org);
    const email = `${unique('guest')}@example.com`;
    await done('developer', 'invite', org, email);
    const [mail] = await world.mailsTo(email);
    expect(mail?.subject).toBe('You are invited to Mooring');
    expect(mail?.text).not.toContain('project');
    const body = { token: mail?.token ?? '', name: 'Grace', password: 'four odd words' };
    expect(await world.visitor().client.call(activate, { body })).toEqual({ email, orgId: org });
    expect((await mooring('developer', 'invite', org, email)).err).toContain('already has an account');
  });
});

describe('sudo link', () => {
  it('creates a link that opens a support session, and both are in the audit log with reason and ticket', async () => {
    const owner = await world.aDeveloper();
    const why = ['--sudoer', 'sam@mooring.example', '--reason', 'cannot see devices', '--ticket', 'T-42'];
    const [link = ''] = (await done('sudo', 'link', 'default', owner.email, ...why)).split('\n');
    const url = new URL(link);
    expect(url.origin + url.pathname).toBe(`${world.url}/sudo`);
    const body = Object.fromEntries(url.searchParams) as {
      sudoer: string;
      orgId: string;
      email: string;
      token: string;
    };
    const answer = await world.visitor().client.call(startSudo, { body });
    expect(answer.developer).toMatchObject({ email: owner.email, sudoer: 'sam@mooring.example' });
    const made = (await auditOf(world, owner.developer.id)).find(({ action }) => action === 'makeSudoLink');
    expect(made?.detail).toEqual({
      sudoer: 'sam@mooring.example',
      reason: 'cannot see devices',
      ticket: 'T-42',
    });
    expect(JSON.stringify(made)).not.toContain(body.token);
  });
});

describe('an invalid command', () => {
  it.each([
    [['frobnicate']],
    [['org']],
    [['org', 'create', 'Not An Id', '--name', 'x']],
    [['org', 'create', 'nameless']],
    [['org', 'create', 'default', '--name', 'Again']],
    [['org', 'close', 'nowhere']],
    [['org', 'set', 'default', 'colour', 'red']],
    [['org', 'set', 'default', 'require-verification', 'maybe']],
    [['org', 'require-two-factor']],
    [['org', 'require-two-factor', 'nowhere']],
    [['org', 'require-two-factor', 'default', '--on']],
    [['org', 'set', 'default', 'console-url', 'ftp://files.example']],
    [['developer', 'suspend', 'default', 'nobody@example.com']],
    [['developer', 'limit', 'default', 'nobody@example.com', 'many']],
    [['developer', 'invite', 'default', 'a@example.com,b@example.com']],
    [['sudo', 'link', 'default', 'nobody@example.com', '--sudoer', 'me']],
    [['sudo', 'link', 'default', 'nobody@example.com', '--sudoer', 'me', '--reason', 'x', '--ticket', 'T']],
  ])('is refused with the usage and code 2: %j', async words => {
    const { code, out, err } = await mooring(...words);
    expect(code).toBe(2);
    expect(out + err).toContain('Usage: npm run mooring --');
    expect(out + err).not.toMatch(/\n +at /);
  });
});

it('help and version work without a database', async () => {
  const alone = operatorOf(world, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  expect(await alone('help')).toMatchObject({ code: 0, err: '' });
  expect((await alone('version')).out).toMatch(/^Mooring \d+\.\d+\.\d+, Node v24/);
});
