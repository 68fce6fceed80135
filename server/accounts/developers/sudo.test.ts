import { beforeAll, describe, expect, it } from 'vitest';
import {
  activateAuth2F,
  changePassword,
  deactivateAuth2F,
  editDeveloper,
  endSession,
  listSessions,
  readDeveloper,
  startSudo,
  verifyAuth2F,
} from '#contract/account.ts';
import { createProject } from '#contract/project.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { auditOf } from '#test/rows.ts';
import { aSudoer, aSudoLink, type SudoLink } from '#test/sudoLink.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();
beforeAll(async () => {
  await world.platform.db.run(sql`insert into organizations (id, name) values ('other', 'Other')`);
});

const open = (body: SudoLink) => world.visitor().client.call(startSudo, { body });

describe('a support link', () => {
  it('opens a session of one hour that says who is acting, and the developer is notified', async () => {
    const owner = await world.aDeveloper();
    const link = await aSudoLink(world, owner);
    const answer = await open(link);
    expect(answer.developer).toMatchObject({ id: owner.developer.id, sudoer: link.sudoer });
    expect(answer.session.ttl).toBe(3600);
    const [mail] = await world.mailsTo(owner.email);
    expect(mail?.subject).toBe('A support session was started on your account');
    expect(mail?.text).toContain(link.sudoer);
  });

  it('works once, even if fifty open it at once', async () => {
    const owner = await world.aDeveloper();
    const link = await aSudoLink(world, owner);
    const { answers, reasons } = await atOnce(50, () => open(link));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['INVALID_LINK']));
  });

  it('works for ten minutes', async () => {
    const owner = await world.aDeveloper();
    const [early, late] = [await aSudoLink(world, owner), await aSudoLink(world, owner)];
    world.pass(9 * minuteMs);
    await open(early);
    world.pass(minuteMs);
    await failing(open(late), 'INVALID_LINK');
  });

  it('is refused for another organization, developer, sudoer or token, and works afterwards', async () => {
    const [owner, other] = [await world.aDeveloper(), await world.aDeveloper()];
    const link = await aSudoLink(world, owner);
    await failing(open({ ...link, orgId: 'other' }), 'ORG_MISMATCHED');
    await failing(open({ ...link, email: other.email }), 'INVALID_LINK');
    await failing(open({ ...link, sudoer: 'somebody@else.example' }), 'INVALID_LINK');
    await failing(open({ ...link, token: `${link.token}x` }), 'INVALID_LINK');
    expect(await open(link)).toHaveProperty('session');
  });

  it('to a suspended account is refused', async () => {
    const owner = await world.aDeveloper();
    const link = await aSudoLink(world, owner);
    await world.platform.db.run(sql`update developers set suspended = true where id = ${owner.developer.id}`);
    await failing(open(link), 'INVALID_LINK');
  });
});

describe('a support session', () => {
  it('ends after an hour, even if it is used', async () => {
    const owner = await world.aDeveloper();
    const { client } = await aSudoer(world, owner);
    const params = { developerId: owner.developer.id };
    world.pass(hourMs - minuteMs);
    expect(await client.call(readDeveloper, { params })).toHaveProperty('sudoer');
    world.pass(minuteMs);
    await failing(client.call(readDeveloper, { params }), 'NO_LOGIN');
  });

  it('cannot change password, e-mail or two-factor, nor end the developer’s sessions', async () => {
    const owner = await world.aDeveloper();
    const { client } = await aSudoer(world, owner);
    const { email, password, developer } = owner;
    const params = { developerId: developer.id };
    const passwords = { email, orgId: 'default', oldPassword: password, newPassword: 'another four words' };
    const [session] = (await client.call(listSessions, { params })).filter(({ sudoer }) => !sudoer);
    const calls = [
      () => client.call(changePassword, { body: passwords }),
      () => client.call(editDeveloper, { params, body: { email: 'mine@example.com' } }),
      () => client.call(activateAuth2F, { body: { password } }),
      () => client.call(verifyAuth2F, { body: { code: '123456' } }),
      () => client.call(deactivateAuth2F, { body: { password } }),
      () => client.call(endSession, { params: { ...params, sessionId: session?.id ?? '' } }),
    ];
    for (const call of calls) await failing(call(), 'NOT_IN_SUDO');
    expect(await owner.client.call(readDeveloper, { params })).toMatchObject({
      email,
      auth2FActivated: false,
    });
  });

  it('is listed to the developer, who can end it', async () => {
    const owner = await world.aDeveloper();
    const { client } = await aSudoer(world, owner);
    const params = { developerId: owner.developer.id };
    const list = await owner.client.call(listSessions, { params });
    const support = list.find(({ sudoer }) => sudoer === 'support@mooring.example');
    await owner.client.call(endSession, { params: { ...params, sessionId: support?.id ?? '' } });
    await failing(client.call(readDeveloper, { params }), 'NO_LOGIN');
  });

  it('is named in every entry it causes', async () => {
    const owner = await world.aDeveloper();
    const { client } = await aSudoer(world, owner);
    const params = { developerId: owner.developer.id };
    await client.call(editDeveloper, { params, body: { name: 'Renamed by support' } });
    const project = await client.call(createProject, { body: { name: 'Made by support' } });
    const entries = [...(await auditOf(world, owner.developer.id)), ...(await auditOf(world, project.id))];
    const marked = entries.filter(({ actor }) => actor.bySudoer).map(({ action }) => action);
    expect(marked).toEqual(expect.arrayContaining(['startSudo', 'editDeveloper', 'createProject']));
    await owner.client.call(editDeveloper, { params, body: { name: 'Ada again' } });
    expect((await auditOf(world, owner.developer.id)).at(-1)?.actor).not.toHaveProperty('bySudoer');
  });
});
