import { describe, expect, it } from 'vitest';
import { logOut } from '#contract/account.ts';
import type { Reason } from '#contract/problem.ts';
import { readProject } from '#contract/project.ts';
import type { Db, Sql } from '#server/infra/db/sql.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { type SignedIn, unique } from '#test/world.ts';
import { queryWithSession } from './queryWithSession.ts';
import { hashToken } from './session.ts';

const at = aProjectWorld();
const db = () => at.world.platform.db;
const nowhere = 'prj_01jnowhere0000000000000000';

const read = ({ client }: SignedIn, projectId: string) => client.call(readProject, { params: { projectId } });

/** A developer whose session is cached, because they have read a project of their own. */
async function aMember(): Promise<SignedIn & { projectId: string }> {
  const who = await at.world.aDeveloper();
  const { id: projectId } = await at.world.aProject(who);
  await read(who, projectId);
  return { ...who, projectId };
}

describe('a session that the server has cached', () => {
  it.each<[string, Reason, (developerId: string) => Sql]>([
    ['ended', 'NO_LOGIN', id => sql`delete from sessions where developer_id = ${id}`],
    ['expired', 'NO_LOGIN', id => sql`update sessions set expires_at = now() where developer_id = ${id}`],
    [
      'was idle for too long',
      'NO_LOGIN',
      id => sql`update sessions set last_used_at = now() - interval '13 hours' where developer_id = ${id}`,
    ],
    [
      'has a suspended developer',
      'ACCOUNT_SUSPENDED',
      id => sql`update developers set suspended = true where id = ${id}`,
    ],
  ])(
    'grants no access, and reveals nothing, once it %s through any process',
    async (_what, reason, change) => {
      const who = await aMember();
      await db().run(change(who.developer.id));
      await failing(read(who, who.projectId), reason);
      await failing(read(who, nowhere), reason);
    },
  );

  it('has access again once a suspension has ended', async () => {
    const who = await aMember();
    const suspend = (suspended: boolean) =>
      db().run(sql`update developers set suspended = ${suspended} where id = ${who.developer.id}`);
    await suspend(true);
    await failing(read(who, who.projectId), 'ACCOUNT_SUSPENDED');
    await suspend(false);
    expect(await read(who, who.projectId)).toHaveProperty('id', who.projectId);
  });

  it('must meet a new requirement, until the requirement is dropped', async () => {
    const who = await aMember();
    const verified = (is: boolean) =>
      db().run(sql`update developers set verified = ${is} where id = ${who.developer.id}`);
    await verified(false);
    await failing(read(who, who.projectId), 'UNVERIFIED_ACCOUNT');
    await verified(true);
    expect(await read(who, who.projectId)).toHaveProperty('id', who.projectId);
  });

  it('is refused after signing out', async () => {
    const who = await aMember();
    await who.client.call(logOut);
    await failing(read(who, who.projectId), 'NO_LOGIN');
  });
});

describe('a read beside a session', () => {
  const hashOf = ({ cookies }: SignedIn) => hashToken(cookies.get('mooring') ?? '');

  /** The database, and the queries it received. */
  function counted(): { on: Db; asked: Sql[] } {
    const asked: Sql[] = [];
    const many = <T>(query: Sql) => {
      asked.push(query);
      return db().many<T>(query);
    };
    return { asked, on: { ...db(), many, one: async <T>(query: Sql) => (await many<T>(query))[0] } };
  }

  it('returns rows and session in one statement', async () => {
    const who = await aMember();
    const { on, asked } = counted();
    const beside = queryWithSession(on, hashOf(who));
    const name = unique('name');
    const rows = await beside.db.many(
      sql`select n as id, ${name}::text as name from generate_series(1, 2) n`,
    );
    expect(rows).toEqual([
      { id: 1, name },
      { id: 2, name },
    ]);
    expect(beside.session()?.found).toMatchObject({ developerId: who.developer.id, email: who.email });
    expect(asked).toHaveLength(1);
  });

  it('returns the session if there is no row, and no row if there is no session', async () => {
    const who = await aMember();
    const without = queryWithSession(db(), hashOf(who));
    expect(await without.db.one(sql`select 1 as one where false`)).toBeUndefined();
    expect(without.session()?.found).toHaveProperty('developerId', who.developer.id);
    const strange = queryWithSession(db(), hashToken('nobody'));
    expect(await strange.db.one(sql`select 1 as one`)).toBeUndefined();
    expect(strange.session()).toEqual({ found: undefined });
  });
});
