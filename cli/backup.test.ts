import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { logIn, logInWithCode, readDeveloper, resetPassword, startPasswordReset } from '#contract/account.ts';
import { readMe } from '#contract/appApi/me.ts';
import { readLogRequest } from '#contract/logRequest.ts';
import { endDeadGateways } from '#server/devices/presence/lease.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aBackup, aTarget, type Target } from '#test/backups.ts';
import { aDevice } from '#test/devices.ts';
import { anEndUser, type CalledApp, clientWith, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { uploaded } from '#test/logRequests.ts';
import { type MqttDevice, mqttDevice } from '#test/mqttDevice.ts';
import { operatorOf } from '#test/operator.ts';
import { anS3 } from '#test/s3.ts';
import { type Authenticator, anAuthenticator, codeOf, firstStep } from '#test/secondFactor.ts';
import { until } from '#test/until.ts';
import { aWorld, type SignedIn, theWorld, type World } from '#test/world.ts';

const world = theWorld({ MQTT_PORT: '0' });

/** Signs in the same developer on another installation, with only the password. */
async function signedIn(there: World, { email, password }: SignedIn) {
  const visitor = there.visitor();
  await visitor.client.call(logIn, { body: { email, password, orgId: 'default' } });
  return visitor.client;
}

/** Sends writes through the API until told to stop; returns what was acknowledged so far. */
async function load(owner: SignedIn, projectId: string) {
  const device = await aDevice(owner, projectId);
  const client = await mqttDevice(world.mqttUrl ?? '', device);
  const { deviceClass } = device;
  const written = { devices: [] as string[], events: [] as string[] };
  let stopped = false;
  const run = (async () => {
    while (!stopped) {
      written.devices.push((await aDevice(owner, projectId, { deviceClass })).id);
      const event = `n${written.events.length}`;
      await client.say(`events/${event}`, {});
      written.events.push(event);
    }
    await client.client.endAsync(true);
  })();
  return {
    device,
    written,
    async stop() {
      stopped = true;
      await run;
    },
  };
}

/** A log that a device has uploaded, read by its owner on another installation. */
async function linesOf(there: World, { target, id }: Awaited<ReturnType<typeof uploaded>>): Promise<string> {
  const client = await signedIn(there, target.owner);
  const params = { deviceId: target.device.id, requestId: id };
  const { url = '' } = await client.call(readLogRequest, { params });
  return gunzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).toString();
}

describe('a backup', () => {
  it('has every row and file acknowledged before it began, and is a consistent snapshot during writes', async () => {
    const owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    const { device, written, stop } = await load(owner, projectId);
    await until(() => written.events.length > 20 || undefined);
    const file = await uploaded(world);
    const before = structuredClone(written);
    const target = await aTarget(world);
    onTestFinished(target.end);
    const path = await aBackup(operatorOf(world), target.dataDir);
    await stop();
    const restored = await target.startFrom(path);
    await signedIn(restored, owner);
    expect(await linesOf(restored, file)).toContain('line 19');
    const { db } = target.database;
    const ids = sql`select id from devices where project_id = ${projectId}`;
    const found = (await db.many<{ id: string }>(ids)).map(({ id }) => id);
    expect(found).toEqual(expect.arrayContaining(before.devices));
    expect(
      await db.one(sql`
        select sum(claimed + unclaimed)::int as devices from device_counts where project_id = ${projectId}`),
    ).toEqual({ devices: found.length });
    const names = sql`select name from device_events where device_id = ${device.id}`;
    const events = (await db.many<{ name: string }>(names)).map(({ name }) => name);
    expect(events).toEqual(expect.arrayContaining(before.events));
  });

  it('has every file, from a disk to a bucket and from a bucket to a disk', async () => {
    const s3 = await anS3();
    onTestFinished(s3.end);
    const inBucket = await aWorld(s3.env);
    onTestFinished(inBucket.end);
    const cases: [World, Record<string, string>, Record<string, string>][] = [
      [world, {}, s3.env],
      [inBucket, s3.env, {}],
    ];
    for (const [source, from, to] of cases) {
      const file = await uploaded(source);
      const target = await aTarget(source, to);
      onTestFinished(target.end);
      const restored = await target.startFrom(await aBackup(operatorOf(source, from), target.dataDir));
      expect(await linesOf(restored, file)).toContain('line 19');
    }
  });
});

describe('a restored platform', () => {
  let target: Target;
  let restored: World;
  let owner: SignedIn;
  let device: Awaited<ReturnType<typeof aDevice>>;
  let connection: MqttDevice;
  let authenticator: Authenticator;
  let link: string;
  let app: CalledApp;
  let user: EndUser;

  beforeAll(async () => {
    owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    device = await aDevice(owner, projectId);
    app = await anApp(owner, projectId);
    user = await anEndUser(world, app);
    connection = await mqttDevice(world.mqttUrl ?? '', device);
    authenticator = await anAuthenticator(world, owner);
    const body = { email: owner.email, orgId: 'default' };
    await world.visitor().client.call(startPasswordReset, { body });
    link = (await world.mailsTo(owner.email))[0]?.token ?? '';
    const { db } = world.platform;
    await db.run(sql`
      select graphile_worker.add_job('keepHouse', '{}', run_at => now() + interval '1 day', job_key => 'kept')`);
    await db.run(sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody' where key = 'kept'`);
    target = await aTarget(world);
    restored = await target.startFrom(await aBackup(operatorOf(world), target.dataDir));
  });
  afterAll(async () => {
    await connection.client.endAsync(true);
    await target.end();
  });

  it('rejects earlier sessions', async () => {
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const read = (there: World) =>
      there.visitor({ cookie }).client.call(readDeveloper, { params: { developerId: owner.developer.id } });
    await read(world);
    await failing(read(restored), 'NO_LOGIN');
  });

  it('rejects earlier sessions of apps', async () => {
    const read = (there: World) => clientWith(there, app, user.tokens.accessToken).call(readMe);
    await read(world);
    await failing(read(restored), 'NO_USER_SESSION');
  });

  it('rejects earlier links', async () => {
    const body = { token: link, newPassword: 'another odd horse' };
    await failing(restored.visitor().client.call(resetPassword, { body }), 'INVALID_LINK');
  });

  it('closes the connections of the old platform', async () => {
    const other = await world.platform.db.one<{ gateway: string }>(sql`
      select gateway_id as gateway from device_connections where device_id = ${device.id}`);
    await endDeadGateways(restored.platform, () => undefined);
    expect(
      await target.database.db.many(sql`select id from gateways where id = ${other?.gateway ?? ''}`),
    ).toEqual([]);
    expect(await target.database.db.many(sql`select 1 from device_connections`)).toEqual([]);
  });

  it('accepts passwords, two-factor codes and device keys', async () => {
    const visitor = restored.visitor();
    restored.pass(10 * 60_000);
    const token = await firstStep(visitor, owner);
    const code = codeOf(restored, authenticator.secret);
    await visitor.client.call(logInWithCode, { body: { token, code } });
    await using connected = await mqttDevice(restored.mqttUrl ?? '', device);
    await connected.say('state', { on: true });
  });

  it('has the waiting jobs, none of them locked', async () => {
    expect(
      await target.database.db.many(sql`
        select locked_at, locked_by from graphile_worker._private_jobs where key = 'kept'`),
    ).toEqual([{ locked_at: null, locked_by: null }]);
  });

  it('continues the sequences of the old platform', async () => {
    const next = sql`select nextval('connection_numbers')::int as next`;
    const before = await world.platform.db.one<{ next: number }>(next);
    const after = await target.database.db.one<{ next: number }>(next);
    expect(after?.next).toBeGreaterThanOrEqual(before?.next ?? 0);
    const added = await target.database.db.one(sql`
      select (graphile_worker.add_job('keepHouse')).id > max(id) as later from graphile_worker._private_jobs`);
    expect(added).toEqual({ later: true });
  });

  it('records the time of the backup in each organization’s audit log, and the log is intact', async () => {
    const found = await target.database.db.many(sql`
      select text from log_entries where action = 'restoreBackup' and project_id = 'default'`);
    expect(found).toEqual([{ text: expect.stringMatching(/^Platform restored from a backup of 20/) }]);
    expect((await target.mooring('audit', 'verify', 'default')).out).toMatch(/^intact/);
  });
});
