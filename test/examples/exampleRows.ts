import { createApp } from '#contract/app.ts';
import { inviteToHome } from '#contract/appApi/home.ts';
import { createBundle } from '#contract/bundle.ts';
import { createChannel } from '#contract/channel.ts';
import { sendCommand } from '#contract/command.ts';
import { createComponent } from '#contract/component.ts';
import { actOnDevices } from '#contract/deviceBulk.ts';
import { writeKvPair } from '#contract/deviceClass.ts';
import { createDeviceView } from '#contract/deviceView.ts';
import { createKey } from '#contract/key.ts';
import { createLogRequest } from '#contract/logRequest.ts';
import { editProject } from '#contract/project.ts';
import { createProxyRoute } from '#contract/proxyRoute.ts';
import { createRollout } from '#contract/rollout.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anAlert } from '#test/alerts.ts';
import { aDevice } from '#test/devices.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { inHome, inRole } from '#test/homes.ts';
import { checkedImport } from '#test/imports.ts';
import { anEvent } from '#test/modules.ts';
import { aReadyVersion } from '#test/versions.ts';
import { type SignedIn, unique } from '#test/world.ts';
import type { PreparedServer } from './preparedServer.ts';

interface Place {
  projectId: string;
  owner: SignedIn;
  ofApp: boolean;
}

/** The password in the examples. */
export const password = 'correct horse battery staple';

/**
 * The rows that the example of one call names, in a project of its own. Each is made when it is first named, so that a
 * call finds what it needs and nothing that is in its way.
 */
export class ExampleRows {
  readonly #made = new Map<string, Promise<string>>();
  #user: Promise<EndUser> | undefined;

  readonly at: PreparedServer;
  readonly projectId: string;
  readonly owner: SignedIn;
  /** True: for a call of an app, whose user sees only devices in their homes. */
  readonly ofApp: boolean;

  private constructor(at: PreparedServer, { projectId, owner, ofApp }: Place) {
    this.at = at;
    this.projectId = projectId;
    this.owner = owner;
    this.ofApp = ofApp;
  }

  static async of(at: PreparedServer, { owner, ofApp }: Omit<Place, 'projectId'>): Promise<ExampleRows> {
    const { id: projectId } = await at.world.aProject(owner);
    const body = { enablePermissionBasedAccessControl: true, enableDeviceLogRetrieval: true };
    await owner.client.call(editProject, { params: { projectId }, body });
    return new ExampleRows(at, { projectId, owner, ofApp });
  }

  get client() {
    return this.owner.client;
  }

  get db() {
    return this.at.world.platform.db;
  }

  get params() {
    return { projectId: this.projectId };
  }

  get app() {
    return { id: 'nordlys-app', projectId: this.projectId };
  }

  id(what: keyof typeof makers): Promise<string> {
    const made = this.#made.get(what) ?? makers[what](this);
    this.#made.set(what, made);
    return made;
  }

  /** The end user who uses the app, signed in. */
  async user(): Promise<EndUser> {
    await this.id('app');
    this.#user ??= anEndUser(this.at.world, this.app, { email: 'ada@example.com', password });
    return this.#user;
  }
}

const makers = {
  project: async (rows: ExampleRows) => rows.projectId,
  developer: async (rows: ExampleRows) => rows.owner.developer.id,
  async deviceClass({ db, projectId }: ExampleRows) {
    await db.run(sql`
      insert into device_classes (project_id, id, created_at) values (${projectId}, 'thermostat', now())`);
    return 'thermostat';
  },
  async app({ client, params }: ExampleRows) {
    const body = {
      id: 'nordlys-app',
      redirects: ['https://app.nordlys.example/signed-in'],
      subscribedEvents: ['*' as const],
    };
    return (await client.call(createApp, { params, body })).id;
  },
  async device(rows: ExampleRows) {
    const deviceClass = await rows.id('deviceClass');
    return (await aDevice(rows.owner, rows.projectId, { deviceClass })).id;
  },
  async command(rows: ExampleRows) {
    const params = { deviceId: await rows.id('device') };
    return (await rows.client.call(sendCommand, { params, body: { name: 'blink' } })).id;
  },
  async alert(rows: ExampleRows) {
    const deviceId = await rows.id('device');
    return (await anAlert(rows.at.world, { projectId: rows.projectId, deviceId })).id;
  },
  async event(rows: ExampleRows) {
    return anEvent({ world: rows.at.world, ...rows.params }, await rows.id('device'));
  },
  async logRequest(rows: ExampleRows) {
    const params = { deviceId: await rows.id('device') };
    const body = { start: '2026-11-20T08:00:00.000Z', end: '2026-11-20T09:00:00.000Z', prefixes: [] };
    return (await rows.client.call(createLogRequest, { params, body })).id;
  },
  async view({ client, projectId }: ExampleRows) {
    const body = { projectId, name: unique('view'), query: {} };
    return (await client.call(createDeviceView, { body })).id;
  },
  async action(rows: ExampleRows) {
    const body = { action: 'suspend' as const, ids: [await rows.id('device')] };
    return (await rows.client.call(actOnDevices, { params: rows.params, body })).id;
  },
  async import(rows: ExampleRows) {
    const given = { ...rows.params, deviceClass: await rows.id('deviceClass') };
    return (await checkedImport(rows.owner, given, '[{"tag":"hall-8"}]')).id;
  },
  async kvPair(rows: ExampleRows) {
    const params = { classId: await rows.id('deviceClass'), pairKey: 'report-every-s' };
    await rows.client.call(writeKvPair, { params, query: rows.params, body: { value: 30 } });
    return params.pairKey;
  },
  component: async ({ client, projectId }: ExampleRows) =>
    (await client.call(createComponent, { body: { projectId, name: unique('component') } })).id,
  async version(rows: ExampleRows) {
    const componentId = await rows.id('component');
    return (await aReadyVersion(rows.at.world, rows.owner, rows.projectId, { componentId })).id;
  },
  async bundle(rows: ExampleRows) {
    const [deviceClass, versionId] = [await rows.id('deviceClass'), await rows.id('version')];
    const body = { ...rows.params, deviceClass, name: unique('bundle'), componentVersionIds: [versionId] };
    return (await rows.client.call(createBundle, { body })).id;
  },
  async channel(rows: ExampleRows) {
    const body = { ...rows.params, deviceClass: await rows.id('deviceClass'), name: 'beta' };
    return (await rows.client.call(createChannel, { body })).id;
  },
  async rollout(rows: ExampleRows) {
    const body = { channelId: await rows.id('channel'), bundleId: await rows.id('bundle') };
    return (await rows.client.call(createRollout, { body })).id;
  },
  async key({ client, params }: ExampleRows) {
    return (await client.call(createKey, { params, body: { name: unique('key') } })).id;
  },
  async proxyRoute({ client, projectId, at }: ExampleRows) {
    const targetUrl = `http://127.0.0.1:${at.backEnd.port}`;
    const body = { projectId, resource: 'home' as const, sourcePath: '/devices', targetUrl };
    return (await client.call(createProxyRoute, { body })).id;
  },
  user: async (rows: ExampleRows) => (await rows.user()).id,
  async home(rows: ExampleRows) {
    const { db, projectId } = rows;
    const home = await db.one<{ id: string }>(sql`
      insert into homes (project_id, name, time_zone, active, created_at)
      values (${projectId}, 'Kirkegata 7', 'Europe/Oslo', true, now()) returning id::text`);
    const homeId = home?.id ?? '';
    await inRole(rows.at.world, homeId, await rows.user(), 'owner');
    return homeId;
  },
  async homeMember(rows: ExampleRows) {
    const [homeId] = [await rows.id('home'), await rows.id('app')];
    const member = await anEndUser(rows.at.world, rows.app);
    await inRole(rows.at.world, homeId, member, 'member');
    return member.id;
  },
  async homeDevice(rows: ExampleRows) {
    const [homeId, deviceId] = [await rows.id('home'), await rows.id('device')];
    await inHome(rows.at.world, homeId, [deviceId]);
    return deviceId;
  },
  async homeInvitation(rows: ExampleRows) {
    const params = { homeId: await rows.id('home') };
    const body = { email: 'grace@example.com', role: 'member' as const };
    return (await (await rows.user()).client.call(inviteToHome, { params, body })).id;
  },
  async module(rows: ExampleRows) {
    const body = {
      id: 'frost-guard',
      moduleType: 'rule' as const,
      configData: {
        condition: 'state.temperature < 5',
        actions: [{ kind: 'alert', severity: 'warning', text: 'Frost' }],
      },
    };
    return (await rows.client.call(createSmartModule, { params: rows.params, body })).id;
  },
  async method({ db, projectId, at }: ExampleRows) {
    const { issuer, clientId, clientSecret } = at.provider;
    const id = at.world.platform.newId('uam');
    const sealed = at.world.platform.sealing.seal(clientSecret);
    await db.run(sql`
      insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
      values (${projectId}, ${id}, 'Test', 'oidc', ${issuer}, ${clientId}, ${sealed}, now())`);
    return id;
  },
};
