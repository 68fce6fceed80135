import { expect, it } from 'vitest';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { anApp } from '#test/apps.ts';
import { attempt } from '#test/attempt.ts';
import { anEndUser } from '#test/endUsers.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { endExpired, sessionChores } from './sessionChores.ts';

const at = aProjectWorld();

it('an expired session is ended, and deleted with its tokens 30 days later', async () => {
  const app = await anApp(at.owner, at.projectId, { userSessionsTTL: 3600 });
  const { tokens } = await anEndUser(at.world, app);
  const { db, log } = at.world.platform;
  const reason = () =>
    db.one<{ reason: string | null }>(sql`
      select end_reason as reason from user_sessions where id = ${tokens.sessionId}`);
  const clean = () => keepHouse({ db, log, clock: () => at.world.now(), chores: sessionChores })({}, attempt);
  await endExpired(at.world.platform);
  expect(await reason()).toEqual({ reason: null });
  at.world.pass(3_600_000);
  await endExpired(at.world.platform);
  await clean();
  expect(await reason()).toEqual({ reason: 'expired' });
  const left = await db.one<{ count: number }>(sql`
    select count(*)::int as count from user_tokens where session_id = ${tokens.sessionId}`);
  expect(left?.count).toBe(0);
  at.world.pass(30 * dayMs + 1);
  await clean();
  expect(await reason()).toBeUndefined();
});
