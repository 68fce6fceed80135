import { inviteToHome, offerMyHome } from '#contract/appApi/home.ts';
import { exportMe } from '#contract/appApi/me.ts';
import { register, startMethodSignIn, startUserPasswordReset } from '#contract/appApi/session.ts';
import { createStreamTicket } from '#contract/appApi/stream.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { storeCode } from '#server/people/signIn/signInStore.ts';
import { anEndUser, appClient, signedIn } from '#test/endUsers.ts';
import { inRole } from '#test/homes.ts';
import { aTarget } from './deviceTargets.ts';
import { type ExampleRows, password } from './exampleRows.ts';
import type { Given, States } from './states.ts';

const redirectUri = 'https://app.nordlys.example/signed-in';
/** Of the verifier in the example. */
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** What must have happened before calls of apps. */
export const appStates: States = {
  async readMethodIcon(rows) {
    const methodId = await rows.id('method');
    await rows.db.run(
      sql`update user_auth_methods set icon_type = 'image/png', icon = '\\x89504e47' where id = ${methodId}`,
    );
  },
  async verify(rows) {
    await rows.id('app');
    await client(rows).call(register, { body: { email: 'ada@example.com', password } });
    return { code: await codeIn(rows) };
  },
  async resetUserPassword(rows) {
    await rows.user();
    await client(rows).call(startUserPasswordReset, { body: { email: 'ada@example.com' } });
    return { code: await codeIn(rows) };
  },
  changeUserPassword: withUser,
  signIn: withUser,
  refreshSession: async rows => ({ refreshToken: (await rows.user()).tokens.refreshToken }),
  async finishMethodSignIn(rows) {
    const { db, sealing, clock } = rows.at.world.platform;
    const params = { methodId: await rows.id('method') };
    const body = { redirectUri, codeChallenge };
    await client(rows).call(startMethodSignIn, { params, body });
    const signIn = await db.one<{ id: string }>(
      sql`select id from user_sign_ins where project_id = ${rows.projectId}`,
    );
    // The provider goes by the clock of the machine, so its answer would be of another day than the example.
    const said = {
      issuer: rows.at.provider.issuer,
      sub: 'grace',
      email: 'grace@example.com',
      emailVerified: true,
    };
    const secrets = sealing.seal(JSON.stringify({ ...said, name: 'Grace Hopper' }));
    await storeCode(db, { id: signIn?.id ?? '' }, { code: '492817', secrets, now: clock() });
  },
  async endMySession(rows) {
    const user = await rows.user();
    return { sessionId: (await signedIn(rows.at.world, rows.app, user.id)).sessionId };
  },
  async unlinkMethod(rows) {
    const [methodId, userId] = [await rows.id('method'), await rows.id('user')];
    await rows.db.run(sql`
      insert into user_identities (project_id, method_id, issuer, sub, user_id, linked_at)
      values (${rows.projectId}, ${methodId}, ${rows.at.provider.issuer}, 'ada', ${userId}, now())`);
  },
  async readMyExport(rows) {
    return { exportId: (await (await rows.user()).client.call(exportMe)).id };
  },
  editMyHomeMember: withMember,
  removeMyHomeMember: withMember,
  offerMyHome: withMember,
  async acceptInvitation(rows) {
    return { invitationId: await invited(rows) };
  },
  async declineInvitation(rows) {
    return { invitationId: await invited(rows) };
  },
  async withdrawMyHomeOffer(rows) {
    const { client: by } = await rows.user();
    const params = { homeId: await rows.id('home') };
    await by.call(offerMyHome, { params, body: { userId: await rows.id('homeMember') } });
  },
  async acceptHomeTransfer(rows) {
    const other = await aHomeOfAnother(rows);
    const user = await rows.user();
    await inRole(rows.at.world, other.homeId, user, 'member');
    await other.client.call(offerMyHome, { params: { homeId: other.homeId }, body: { userId: user.id } });
    return { homeId: other.homeId };
  },
  async provisionDevice(rows) {
    const body = { onDemandProvisioning: true };
    await rows.client.call(editProject, { params: rows.params, body });
  },
  async claimDevice(rows) {
    const deviceId = await rows.id('device');
    await rows.db.run(sql`update devices set claim_code = '7KQM2XWRT4' where id = ${deviceId}`);
  },
  answerMyUpdate: rows => aTarget(rows, { state: 'ready' }),
  async openStream(rows) {
    return { ticket: (await (await rows.user()).client.call(createStreamTicket)).ticket };
  },
};

const client = (rows: ExampleRows) => appClient(rows.at.world, rows.app);

/** The code in the latest e-mail of this project to the user of the examples. */
async function codeIn(rows: ExampleRows): Promise<string> {
  const [mail] = await rows.at.world.mailsTo('ada@example.com');
  return /code (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '';
}

async function withUser(rows: ExampleRows): Promise<void> {
  await rows.user();
}

async function withMember(rows: ExampleRows): Promise<Given> {
  return { userId: await rows.id('homeMember') };
}

async function aHomeOfAnother(rows: ExampleRows) {
  await rows.id('app');
  const owner = await anEndUser(rows.at.world, rows.app);
  const home = await rows.db.one<{ id: string }>(sql`
    insert into homes (project_id, name, time_zone, active, created_at)
    values (${rows.projectId}, 'Strandgata 2', 'Europe/Oslo', true, now()) returning id::text`);
  const homeId = home?.id ?? '';
  await inRole(rows.at.world, homeId, owner, 'owner');
  return { homeId, client: owner.client };
}

/** The user is invited to the home of another. */
async function invited(rows: ExampleRows): Promise<string> {
  const { homeId, client: by } = await aHomeOfAnother(rows);
  const { email } = await rows.user();
  return (await by.call(inviteToHome, { params: { homeId }, body: { email, role: 'member' } })).id;
}
