import { beforeAll, describe, expect, it, vi } from 'vitest';
import { editMe, eraseMe, exportMe, readMe, readMyExport } from '#contract/appApi/me.ts';
import { startUserPasswordReset } from '#contract/appApi/session.ts';
import { readLogEntries, readUserHttpLogEntries, verifyLogEntries } from '#contract/log.ts';
import { readTrafficStats } from '#contract/stats.ts';
import {
  deleteUser,
  editUser,
  endUserSession,
  endUserSessions,
  exportUser,
  listUserSessions,
  readUser,
  readUserExport,
} from '#contract/user.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, appClient, type EndUser, signedIn } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { inHome } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unzip } from '#test/unzip.ts';
import { toHalfPast, unique } from '#test/world.ts';

const at = aProjectWorld();
let app: { id: string; projectId: string };

beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});

const range = () => {
  const now = at.world.now().getTime();
  return { begin: new Date(now - hourMs).toISOString(), end: new Date(now + hourMs).toISOString() };
};

/** A home of the user, with a device that sent an event before and after it joined. */
async function aHomeOf(user: EndUser) {
  const { db } = at.world.platform;
  const home = await db.one<{ id: string }>(sql`
    insert into homes (project_id, name, time_zone, active, created_at)
    values (${at.projectId}, 'Cabin', 'Europe/Oslo', true, now()) returning id::text`);
  const homeId = home?.id ?? '';
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    values (${at.projectId}, ${homeId}, ${user.id}, 'owner', now())`);
  const { id: deviceId } = await at.device();
  await inHome(at.world, homeId, [deviceId]);
  for (const [name, minutes] of [
    ['before', -1],
    ['since', 1],
  ] as const)
    await db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select project_id, id, owned_since + ${minutes} * interval '1 second', ${`evt_${name}`}, ${name}, '{}'
      from devices where id = ${deviceId}`);
  return { homeId, deviceId };
}

describe('a developer', () => {
  it('who suspends a user ends all sessions, and can resume the user', async () => {
    const user = await anEndUser(at.world, app);
    await user.client.call(readMe);
    const params = { userId: user.id };
    const edited = await at.owner.client.call(editUser, { params, body: { suspended: true } });
    expect(edited).toMatchObject({ state: 'suspended', suspended: true });
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
    expect(await at.owner.client.call(listUserSessions, { params })).toEqual([]);
    const body = { suspended: false, name: 'Anna', language: 'nb-NO' };
    expect(await at.owner.client.call(editUser, { params, body })).toMatchObject({
      ...body,
      state: 'active',
    });
  });

  it('can end one session of a user, or all', async () => {
    const user = await anEndUser(at.world, app);
    const other = await signedIn(at.world, app, user.id);
    const params = { userId: user.id };
    const sessions = await at.owner.client.call(listUserSessions, { params });
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(
      [user.tokens.sessionId, other.sessionId].toSorted(),
    );
    const one = { params: { ...params, sessionId: other.sessionId } };
    await at.owner.client.call(endUserSession, one);
    await failing(at.owner.client.call(endUserSession, one), 'SESSION_NOT_FOUND');
    await user.client.call(readMe);
    await at.owner.client.call(endUserSessions, { params });
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
  });

  it('sees the calls of a user in the HTTP log, with the user’s name, and in the traffic', async () => {
    toHalfPast(at.world);
    const name = unique('Caller');
    const user = await anEndUser(at.world, app, { name });
    await user.client.call(readMe);
    const read = () =>
      at.owner.client.call(readUserHttpLogEntries, { params: { userId: user.id }, query: range() });
    const [entry] = await until(async () => ((await read()).length > 0 ? read() : undefined));
    expect(entry).toMatchObject({
      actor: { callerType: 'user', id: user.id, displayName: name },
      action: 'GET /app/v1/:app/me',
      detail: { status: 200, app: app.id },
    });
    const month = at.world.now().toISOString().slice(0, 7);
    const query = { begin: month, end: month };
    const [traffic] = await at.owner.client.call(readTrafficStats, {
      params: { projectId: at.projectId },
      query,
    });
    expect(traffic?.counts.appCalls).toBeGreaterThan(0);
  });
});

describe('erasing a user', () => {
  /** All tables and columns, of any type, that contain one of these words. */
  async function whereIs(words: readonly string[]): Promise<string[]> {
    const { db } = at.world.platform;
    const tables = await db.many<{ name: string }>(sql`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
    const found: string[] = [];
    for (const { name } of tables) {
      const query = { text: `select count(*)::int as n from ${name} t where t::text ilike any ($1)` };
      const { rows } = await at.world.platform.db.pool.query(query.text, [words.map(word => `%${word}%`)]);
      if (rows[0]?.n > 0) found.push(name);
    }
    return found;
  }

  const verified = () =>
    until(async () => {
      const found = await at.owner.client.call(verifyLogEntries, { params: { projectId: at.projectId } });
      return found.entriesNotYetSealed === 0 ? found : undefined;
    });

  it('leaves name and address nowhere in the database, and the chain of the audit log valid', async () => {
    const [first, second] = [unique('Zaphod'), unique('Beeblebrox')];
    const email = `${unique('zaphod')}@example.com`;
    const user = await anEndUser(at.world, app, { name: first, email });
    await user.client.call(editMe, { body: { name: second } });
    await at.owner.client.call(editUser, { params: { userId: user.id }, body: { language: 'et' } });
    await user.client.call(readMe);
    expect((await verified()).intact).toBe(true);
    expect(await whereIs([first, second, email])).not.toEqual([]);
    await user.client.call(eraseMe);
    await until(async () => ((await whereIs([first, second, email])).length === 0 ? true : undefined));
    expect(await verified()).toMatchObject({ intact: true });
    const entries = await at.owner.client.call(readLogEntries, {
      params: { projectId: at.projectId },
      query: { ...range(), actor: user.id },
    });
    expect(entries.map(({ action, actor }) => [action, actor.id, actor.displayName])).toEqual([
      ['eraseMe', user.id, '[erased]'],
      ['editMe', user.id, '[erased]'],
    ]);
    // Restoring a name would be detected.
    const { db } = at.world.platform;
    await db.run(sql`
      update log_entries set text = text || ' by somebody' where project_id = ${at.projectId} and actor ->> 'id' = ${user.id}`);
    expect((await verified()).intact).toBe(false);
    await db.run(sql`
      update log_entries set text = replace(text, ' by somebody', '')
      where project_id = ${at.projectId} and actor ->> 'id' = ${user.id}`);
    await failing(at.owner.client.call(readUser, { params: { userId: user.id } }), 'USER_NOT_FOUND');
  });

  it('does not suppress an e-mail of another project to the same address', async () => {
    const { id: otherId } = await at.world.aProject(at.owner);
    const other = await anApp(at.owner, otherId);
    const [user, email] = [await anEndUser(at.world, app), `${unique('shared')}@example.com`];
    await at.world.platform.db.run(sql`update users set email = ${email} where id = ${user.id}`);
    await anEndUser(at.world, { ...other, projectId: otherId }, { email });
    const elsewhere = appClient(at.world, { ...other, projectId: otherId });
    await elsewhere.call(startUserPasswordReset, { body: { email } });
    await at.owner.client.call(deleteUser, { params: { userId: user.id } });
    expect(await at.world.mailsTo(email)).toHaveLength(1);
  });

  it('requires a recent proof, and a decision about owned homes', async () => {
    const user = await anEndUser(at.world, app);
    const { homeId, deviceId } = await aHomeOf(user);
    await failing(user.client.call(eraseMe), 'OWNS_HOME');
    const params = { userId: user.id };
    const refused = await failing(at.owner.client.call(deleteUser, { params }), 'OWNS_HOME');
    expect(refused.context).toEqual({ homeIds: [homeId] });
    await at.owner.client.call(deleteUser, { params, query: { homes: 'delete' } });
    const { db } = at.world.platform;
    const left = await db.one(sql`
      select home_id as home, claim_code is not null as "hasCode" from devices where id = ${deviceId}`);
    expect(left).toEqual({ home: null, hasCode: true });
    expect(await db.many(sql`select 1 from homes where id = ${homeId}`)).toEqual([]);
    await failing(user.client.call(readMe), 'NO_USER_SESSION');
    const other = await anEndUser(at.world, app);
    at.world.pass(6 * minuteMs);
    await failing(other.client.call(eraseMe), 'PROOF_REQUIRED');
  });
});

describe('an export', () => {
  it('contains everything stored about a user, and events of devices from when they joined', async () => {
    const user = await anEndUser(at.world, app);
    const { homeId, deviceId } = await aHomeOf(user);
    await user.client.call(editMe, { body: { name: 'Ülle' } });
    const { id: exportId } = await user.client.call(exportMe);
    const done = await until(async () => {
      const found = await user.client.call(readMyExport, { params: { exportId } });
      return found.state === 'running' ? undefined : found;
    });
    const answer = await fetch(done.url ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(done.sizeBytes);
    const files = unzip(bytes);
    expect(files).toMatchObject({
      'account.json': [{ id: user.id, name: 'Ülle', email: user.email }],
      'sessions.json': [{ id: user.tokens.sessionId, appId: app.id }],
      'homes.json': [{ id: homeId, name: 'Cabin', devices: [{ id: deviceId }] }],
      'memberships.json': [{ homeId, role: 'owner' }],
      'commands.json': [],
      'auditLog.json': [{ action: 'editMe' }, { action: 'exportMe' }],
      [`events/home-${homeId}.json`]: [{ deviceId, name: 'since' }],
    });
    expect(JSON.stringify(files)).not.toMatch(/hash/i);
    at.world.pass(hourMs + minuteMs);
    expect((await fetch(done.url ?? '')).status).toBe(403);
  });

  it('is started once for concurrent requests, and a limited number of times a day', async () => {
    const user = await anEndUser(at.world, app);
    const params = { userId: user.id };
    const ask = () => user.client.call(exportMe);
    // Blocks the export until all calls have been made.
    const { promise: allAsked, resolve: goOn } = Promise.withResolvers<void>();
    const { storage } = at.world.platform;
    const write = storage.write.bind(storage);
    vi.spyOn(storage, 'write').mockImplementation(async (...file) => {
      await allAsked;
      return write(...file);
    });
    const { answers, reasons } = await atOnce(6, ask).finally(goOn);
    expect([new Set(answers.map(({ id }) => id)).size, reasons]).toEqual([1, []]);
    await at.world.platform.db.run(sql`
      insert into user_exports (project_id, id, user_id, state, devices, created_at)
      select project_id, id || n, user_id, 'failed', '[]', created_at from user_exports, generate_series(1, 19) n
      where user_id = ${user.id}`);
    await at.world.platform.db.run(sql`update user_exports set state = 'failed' where user_id = ${user.id}`);
    await failing(ask(), 'TOO_MANY_REQUESTS');
    await failing(at.owner.client.call(exportUser, { params }), 'TOO_MANY_REQUESTS');
  });

  it('is only for its user and developers of the project, and is deleted with the user', async () => {
    const [user, other] = [await anEndUser(at.world, app), await anEndUser(at.world, app)];
    const params = { userId: user.id };
    const { id: exportId } = await at.owner.client.call(exportUser, { params });
    await failing(other.client.call(readMyExport, { params: { exportId } }), 'EXPORT_NOT_FOUND');
    const read = () => at.owner.client.call(readUserExport, { params: { ...params, exportId } });
    const done = await until(async () => ((await read()).state === 'done' ? read() : undefined));
    const stranger = await at.world.aDeveloper();
    const asked = stranger.client.call(readUserExport, { params: { ...params, exportId } });
    await failing(asked, 'USER_NOT_FOUND');
    await at.owner.client.call(deleteUser, { params });
    expect((await fetch(done.url ?? '')).status).toBe(404);
  });
});
