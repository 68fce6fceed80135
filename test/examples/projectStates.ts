import { actOnAlerts } from '#contract/alert.ts';
import { createComponentVersion, startVersionUpload } from '#contract/componentVersion.ts';
import { editDeviceClass } from '#contract/deviceClass.ts';
import { writeDeviceKvPair } from '#contract/deviceState.ts';
import { offerHomeTransfer } from '#contract/home.ts';
import { rotateKey } from '#contract/key.ts';
import { saveTableData } from '#contract/moduleData.ts';
import { rotateSigningKey } from '#contract/proxyRoute.ts';
import { readRuleReplay, replayRule } from '#contract/ruleReplay.ts';
import { bringUser } from '#contract/service.ts';
import { frostRule } from '#contract/smartModule.ts';
import { exportUser } from '#contract/user.ts';
import { startUserAuthTest } from '#contract/userAuthMethod.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aKey } from '#test/keys.ts';
import { put } from '#test/logRequests.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { signInAt } from '#test/oidcProvider.ts';
import { unique } from '#test/world.ts';
import { aTarget } from './deviceTargets.ts';
import type { ExampleRows } from './exampleRows.ts';
import type { States } from './states.ts';

/** What must have happened before calls about what is in a project. */
export const projectStates: States = {
  async readDeviceClassRevision(rows) {
    const params = { classId: await rows.id('deviceClass') };
    for (const description of ['first', 'second'])
      await rows.client.call(editDeviceClass, { params, query: rows.params, body: { description } });
  },
  async deleteDeviceKvPair(rows) {
    const params = { deviceId: await rows.id('device'), pairKey: 'report-every-s' };
    await rows.client.call(writeDeviceKvPair, { params, body: { value: 30 } });
  },
  async readAlertAction(rows) {
    const body = { action: 'acknowledge' as const, ids: [await rows.id('alert')] };
    return { actionId: (await rows.client.call(actOnAlerts, { params: rows.params, body })).id };
  },
  startVersionUpload: anEmptyVersion,
  readVersionUpload: async rows => anUpload(rows),
  cancelVersionUpload: async rows => anUpload(rows),
  async completeVersionUpload(rows) {
    const { url, ...given } = await anUpload(rows);
    await put(url, 'hello');
    return given;
  },
  retryDeviceUpdate: rows => aTarget(rows, { state: 'failed' }),
  createUserAuthMethod: async ({ at }) => ({ issuer: at.provider.issuer }),
  async readUserAuthIcon(rows) {
    const methodId = await rows.id('method');
    await rows.db.run(
      sql`update user_auth_methods set icon_type = 'image/png', icon = '\\x89504e47' where id = ${methodId}`,
    );
  },
  readUserAuthTest: async rows => ({ testId: (await aSignInTest(rows)).testId }),
  finishUserAuth: async rows => returnOf(rows),
  async finishSharedUserAuth(rows) {
    const methodId = await rows.id('method');
    await rows.db.run(sql`update user_auth_methods set own_callback = false where id = ${methodId}`);
    return returnOf(rows);
  },
  async endPreviousSecret(rows) {
    await rows.client.call(rotateKey, { params: { keyId: await rows.id('key') }, body: { graceS: 3600 } });
  },
  async editPreviousSecret(rows) {
    await rows.client.call(rotateKey, { params: { keyId: await rows.id('key') }, body: { graceS: 3600 } });
  },
  async endPreviousSigningKey(rows) {
    const params = { routeId: await rows.id('proxyRoute') };
    await rows.client.call(rotateSigningKey, { params, body: { graceS: 3600 } });
  },
  async sendProxyCall(rows) {
    await rows.id('proxyRoute');
  },
  endUserSession: async rows => ({ sessionId: (await rows.user()).tokens.sessionId }),
  async readUserExport(rows) {
    const { id } = await rows.client.call(exportUser, { params: { userId: await rows.id('user') } });
    return { exportId: id };
  },
  editHomeMember: async rows => ({ userId: await rows.id('homeMember') }),
  removeHomeMember: async rows => ({ userId: await rows.id('homeMember') }),
  offerHomeTransfer: async rows => ({ userId: await rows.id('homeMember') }),
  async withdrawHomeTransfer(rows) {
    const [homeId, userId] = [await rows.id('home'), await rows.id('homeMember')];
    await rows.client.call(offerHomeTransfer, { params: { homeId }, body: { userId } });
  },
  releaseHomeDevice: async rows => ({ deviceId: await rows.id('homeDevice') }),
  readModuleRun: aRun,
  resendModuleRun: aRun,
  rotateWebhookSecret: async rows => aModule(rows, 'webhook', { url: 'https://api.nordlys.example' }),
  async readRuleReplay(rows) {
    await rows.id('device');
    const body = { configData: frostRule, subscribedEvents: ['_state_'] };
    const { id: replayId } = await rows.client.call(replayRule, { params: rows.params, body });
    await rows.client.call(readRuleReplay, { params: { ...rows.params, replayId } });
    return { replayId };
  },
  readModuleData: aTable,
  saveTableData: aTable,
  listTableVersions: aTable,
  readTableVersion: aTable,
  restoreTableVersion: aTable,
  async mintUserSession(rows) {
    const backEnd = await aKey(rows.at.world, rows.owner, { ...rows.params, canHandleBYOU: true });
    const params = { ...rows.params, externalId: 'customer-4711' };
    await backEnd.client.call(bringUser, { params, body: {} });
  },
};

async function anEmptyVersion(rows: ExampleRows) {
  const body = { componentId: await rows.id('component'), name: unique('version') };
  return { versionId: (await rows.client.call(createComponentVersion, { body })).id };
}

async function anUpload(rows: ExampleRows) {
  const params = await anEmptyVersion(rows);
  const body = { filename: 'camera.bin', bytes: 5 };
  const { uploadId, urls } = await rows.client.call(startVersionUpload, { params, body });
  // SHA-256 of the file that is uploaded.
  const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  return { ...params, uploadId, sha256, url: urls[0] ?? '' };
}

async function aSignInTest(rows: ExampleRows) {
  const params = { ...rows.params, methodId: await rows.id('method') };
  return rows.client.call(startUserAuthTest, { params });
}

/** What a provider sends back with the browser. */
async function returnOf(rows: ExampleRows) {
  const { signInUrl } = await aSignInTest(rows);
  const back = new URL(await signInAt(signInUrl, 'ada')).searchParams;
  return { ...Object.fromEntries(back), error: undefined, error_description: undefined };
}

async function aRun(rows: ExampleRows) {
  const [moduleId, runId] = [await rows.id('module'), rows.at.world.platform.newId('run')];
  const eventId = await rows.id('event');
  await rows.db.run(sql`
    insert into module_runs (project_id, module_id, id, state, seq, device_id, event_id, event_name, event_ts,
      created_at, last_at)
    values (${rows.projectId}, ${moduleId}, ${runId}, 'failed', 1, ${await rows.id('device')}, ${eventId}, 'door',
      ${rows.at.world.now()}, ${rows.at.world.now()}, ${rows.at.world.now()})`);
  return { runId };
}

async function aModule(rows: ExampleRows, moduleType: 'webhook' | 'table', configData: object) {
  return { moduleId: (await createdModule(rows, moduleType, configData)).id };
}

/** A table in its third version. */
async function aTable(rows: ExampleRows) {
  const given = await aModule(rows, 'table', {});
  const params = { ...rows.params, ...given };
  for (const price of [1, 2, 3])
    await rows.client.call(saveTableData, { params, body: { rows: [{ region: 'north', price }] } });
  return given;
}
