import { activateAuth2F, logIn, signUp, startPasswordReset } from '#contract/account.ts';
import { deleteProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aToken } from '#test/accessTokens.ts';
import { anAuthenticator, codeOf, firstStep } from '#test/secondFactor.ts';
import { aSudoLink } from '#test/sudoLink.ts';
import { unique } from '#test/world.ts';
import type { ExampleRows } from './exampleRows.ts';
import type { States } from './states.ts';

/** What must have happened before calls about developers, their sessions and projects. */
export const accountStates: States = {
  async startVerification(rows) {
    return { email: (await aNewcomer(rows)).email };
  },
  async verify(rows) {
    const [mail] = await rows.at.world.mailsTo((await aNewcomer(rows)).email);
    return { token: mail?.token };
  },
  logIn: async ({ owner }) => ({ email: owner.email, password: owner.password }),
  async logInWithCode({ at, owner }) {
    const authenticator = await anAuthenticator(at.world, owner);
    return { token: await firstStep(at.world.visitor(), owner), code: authenticator.code() };
  },
  activateAuth2F: async ({ owner }) => ({ password: owner.password }),
  async verifyAuth2F({ at, owner, client }) {
    const { auth2FSecret } = await client.call(activateAuth2F, { body: { password: owner.password } });
    return { code: codeOf(at.world, auth2FSecret) };
  },
  async deactivateAuth2F({ at, owner }) {
    await anAuthenticator(at.world, owner);
    return { password: owner.password };
  },
  changePassword: async ({ owner }) => ({ email: owner.email, oldPassword: owner.password }),
  async activate({ at, client, params }) {
    const email = `${unique('invited')}@example.com`;
    await client.call(addMember, { params, body: { email } });
    return { token: (await at.world.mailsTo(email))[0]?.token };
  },
  startPasswordReset: async ({ owner }) => ({ email: owner.email }),
  async resetPassword({ at, owner: { email, developer } }) {
    await at.world.visitor().client.call(startPasswordReset, { body: { orgId: developer.orgId, email } });
    return { token: (await at.world.mailsTo(email))[0]?.token };
  },
  startSudo: async ({ at, owner }) => ({ ...(await aSudoLink(at.world, owner)) }),
  async endSession({ at, db, owner }) {
    const { email, password, developer } = owner;
    await at.world.visitor().client.call(logIn, { body: { email, password, orgId: developer.orgId } });
    const { id } = (await db.one<{ id: string }>(
      sql`select id from sessions where developer_id = ${developer.id} order by id desc limit 1`,
    )) ?? { id: '' };
    return { sessionId: id };
  },
  revokeAccessToken: async ({ at, owner }) => ({ tokenId: (await aToken(at.world, owner)).id }),
  findOrganization: async ({ at }) => ({ devConsoleBaseUrl: at.world.url }),
  async readProjectDeletion({ client, params }) {
    return await client.call(deleteProject, { params });
  },
  editMember: anotherMember,
  removeMember: anotherMember,
};

/** Somebody who has signed up and not yet verified the address. */
async function aNewcomer({ at }: ExampleRows) {
  const body = { email: `${unique('new')}@example.com`, password: `${unique('secret')} horse`, name: 'Ada' };
  await at.world.visitor().client.call(signUp, { body: { ...body, orgId: 'default' } });
  return body;
}

async function anotherMember({ at, client, params }: ExampleRows) {
  const { email, developer } = await at.world.aDeveloper();
  await client.call(addMember, { params, body: { email } });
  return { developerId: developer.id };
}
