import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editApp } from '#contract/app.ts';
import { readMe } from '#contract/appApi/me.ts';
import { listMySessions, refreshSession, signOut, type Tokens } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { readLogEntries } from '#contract/log.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp, clientWith } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type ServerProcess, startMooring } from '#test/serverProcess.ts';

const at = aProjectWorld();
/** Two processes of the server on the same database. */
let processes: ServerProcess[];
let app: CalledApp;
let phone: Client;
beforeAll(async () => {
  const { databaseUrl = '', dataDir } = at.world.platform.config;
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  processes = await Promise.all([startMooring(settings), startMooring(settings)]);
  app = await anApp(at.owner, at.projectId, { userSessionsTTL: 86_400 });
  phone = appClient(at.world, app);
});
afterAll(async () => {
  await Promise.all(processes.map(server => server.stop()));
});

const refresh = (refreshToken: string, idempotencyKey?: string, by = phone): Promise<Tokens> =>
  by.call(refreshSession, {
    body: { refreshToken },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const isOpen = (tokens: Tokens) => clientWith(at.world, app, tokens.accessToken).call(readMe);

describe('a refresh', () => {
  it('replaces the token and continues the session', async () => {
    const { tokens } = await anEndUser(at.world, app);
    const next = await refresh(tokens.refreshToken);
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    expect(next).toMatchObject({
      sessionId: tokens.sessionId,
      sessionExpiresAt: tokens.sessionExpiresAt,
      user: tokens.user,
    });
    // The old access token still works, so that running calls are not cut off.
    await Promise.all([isOpen(next), isOpen(tokens)]);
  });

  it.each([
    ['with one key', 'k'],
    ['without keys', undefined],
  ])(
    'sent twenty times at once %s, to two processes, yields one successor and signs nobody out',
    async (_, key) => {
      const user = await anEndUser(at.world, app);
      const phones = processes.map(server => appClient(server, app));
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => refresh(user.tokens.refreshToken, key, phones[i % 2])),
      );
      const [first] = all;
      expect(new Set(all.map(({ refreshToken }) => refreshToken)).size).toBe(1);
      await Promise.all(all.map(isOpen));
      expect(await user.client.call(listMySessions)).toHaveLength(1);
      await isOpen(await refresh(first?.refreshToken ?? '', 'next'));
    },
  );

  it('with a stored key gets the same successor, however long the phone was offline', async () => {
    const { tokens } = await anEndUser(at.world, app);
    const lost = await refresh(tokens.refreshToken, 'stored');
    at.world.pass(3_600_000);
    const again = await refresh(tokens.refreshToken, 'stored');
    expect(again.refreshToken).toBe(lost.refreshToken);
    await isOpen(again);
  });

  it('may be sent with an expired access token', async () => {
    const { tokens } = await anEndUser(at.world, app);
    at.world.pass(16 * 60_000);
    await isOpen(await refresh(tokens.refreshToken, 'k', clientWith(at.world, app, tokens.accessToken)));
  });

  it('never extends a session, and applies a shorter limit of the app', async () => {
    const short = await anApp(at.owner, at.projectId, { userSessionsTTL: 86_400 });
    const { tokens } = await anEndUser(at.world, short);
    const edit = (userSessionsTTL: number) =>
      at.owner.client.call(editApp, { params: { appId: short.id }, body: { userSessionsTTL } });
    await edit(3600);
    const next = await refresh(tokens.refreshToken, undefined, appClient(at.world, short));
    const lengthMs = Date.parse(tokens.sessionExpiresAt) - Date.parse(next.sessionExpiresAt);
    expect(lengthMs).toBe((86_400 - 3600) * 1000);
    await edit(86_400 * 2);
    const after = await refresh(next.refreshToken, undefined, appClient(at.world, short));
    expect(after.sessionExpiresAt).toBe(next.sessionExpiresAt);
    at.world.pass(3_600_000);
    await failing(refresh(after.refreshToken, undefined, appClient(at.world, short)), 'SESSION_EXPIRED');
  });
});

describe('a token that was already used', () => {
  /** Used twice by its user, then once more by a thief. */
  async function stolen(): Promise<{ email: string; now: Tokens; thief: () => Promise<Tokens> }> {
    const { tokens, email } = await anEndUser(at.world, app);
    const next = await refresh(tokens.refreshToken, 'first');
    const now = await refresh(next.refreshToken, 'second');
    return { email, now, thief: () => refresh(tokens.refreshToken, 'first') };
  }

  it('ends the session for both, notifies the user, and is logged', async () => {
    const { email, now, thief } = await stolen();
    await isOpen(now);
    await failing(thief(), 'TOKEN_REUSED');
    await failing(isOpen(now), 'NO_USER_SESSION');
    await failing(refresh(now.refreshToken, 'third'), 'TOKEN_REUSED');
    const mails = await at.world.mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('signed out for your safety'),
    ]);
    const params = { projectId: at.projectId };
    const query = {
      begin: new Date(at.world.now().getTime() - 60_000).toISOString(),
      end: new Date(at.world.now().getTime() + 60_000).toISOString(),
      actor: now.user.id,
    };
    const entries = await at.owner.client.call(readLogEntries, { params, query });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actor: { callerType: 'user', id: now.user.id },
      detail: { app: app.id, reason: 'TOKEN_REUSED' },
    });
  });

  it('is accepted without a key for ten seconds, but only while its successor is unused', async () => {
    const { tokens } = await anEndUser(at.world, app);
    const next = await refresh(tokens.refreshToken);
    at.world.pass(5_000);
    expect((await refresh(tokens.refreshToken)).refreshToken).toBe(next.refreshToken);
    at.world.pass(6_000);
    await failing(refresh(tokens.refreshToken), 'TOKEN_REUSED');

    const { tokens: another } = await anEndUser(at.world, app);
    await refresh((await refresh(another.refreshToken)).refreshToken);
    await failing(refresh(another.refreshToken), 'TOKEN_REUSED');
  });

  it('is refused with another key', async () => {
    const { tokens } = await anEndUser(at.world, app);
    await refresh(tokens.refreshToken, 'mine');
    await failing(refresh(tokens.refreshToken, 'theirs'), 'TOKEN_REUSED');
  });
});

describe('a session that is over', () => {
  it('that its user ended is reported as expired, not as misused', async () => {
    const { tokens, client, email } = await anEndUser(at.world, app);
    await client.call(signOut);
    await failing(refresh(tokens.refreshToken), 'SESSION_EXPIRED');
    expect(await at.world.mailsTo(email)).toEqual([]);
  });

  it('cannot be refreshed by another app or with an access token', async () => {
    const { tokens } = await anEndUser(at.world, app);
    const elsewhere = appClient(at.world, await anApp(at.owner, at.projectId));
    await failing(refresh(tokens.refreshToken, undefined, elsewhere), 'SESSION_EXPIRED');
    await failing(refresh(tokens.accessToken), 'SESSION_EXPIRED');
    await isOpen(await refresh(tokens.refreshToken));
  });

  it('is reported as suspended if its user is', async () => {
    const { tokens, id } = await anEndUser(at.world, app);
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${id}`);
    await failing(refresh(tokens.refreshToken), 'USER_SUSPENDED');
  });
});
