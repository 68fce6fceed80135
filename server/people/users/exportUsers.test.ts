import { beforeAll, expect, it } from 'vitest';
import { readLogEntries } from '#contract/log.ts';
import { addMember } from '#contract/team.ts';
import { listUsers } from '#contract/user.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { rawCall } from '#test/rawCall.ts';

const at = aProjectWorld();
const many = 2500;
let madeAt: Date;

beforeAll(async () => {
  const { db } = at.world.platform;
  madeAt = at.world.now();
  await db.run(sql`
    insert into users (project_id, id, email, name, password_hash, verified_at, suspended, language, external_id, created_at)
    select ${at.projectId}, 'usr_' || lpad(n::text, 26, '0'), 'u' || n || '@example.com',
      case when n = 1 then '=1+1' else (array['Ada', 'Björn'])[1 + n % 2] || ' ' || n end,
      'secret-hash', case when n % 2 = 0 then now() end, n = 4, case when n = 1 then 'nb' end,
      case when n = 1 then 'crm-1' end, ${madeAt}
    from generate_series(1, ${many}::int) n`);
});

function exported(query: Record<string, string>, { fetch } = at.owner) {
  const text = new URLSearchParams(query);
  return rawCall(fetch, ['GET', `${at.world.url}/api/projects/${at.projectId}/userExport?${text}`]);
}

const linesOf = async (query: Record<string, string>) =>
  (await exported({ format: 'jsonl', ...query })).text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

it('an export lists each user once, by id, for any number of users', async () => {
  const users = await linesOf({});
  expect(users.map(({ id }) => id)).toEqual(
    Array.from({ length: many }, (_, n) => `usr_${String(n + 1).padStart(26, '0')}`),
  );
  expect(users[0]).toEqual({
    id: `usr_${'1'.padStart(26, '0')}`,
    email: 'u1@example.com',
    name: '=1+1',
    externalId: 'crm-1',
    state: 'unverified',
    language: 'nb',
    verified: false,
    suspended: false,
    signsInWith: ['password', 'byou'],
    homeCount: 0,
    deviceCount: 0,
    createdAt: madeAt.toISOString(),
  });
});

it('a CSV export has a header, and no cell that a spreadsheet would run', async () => {
  const { text, headers } = await exported({ format: 'csv', search: 'crm-1' });
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  expect(headers.get('content-disposition')).toBe(`attachment; filename="users-${at.projectId}.csv"`);
  expect(text).toBe(
    'id,email,name,externalId,state,verified,suspended,language,signsInWith,homeCount,deviceCount,lastSeenAt,createdAt\r\n' +
      `usr_${'1'.padStart(26, '0')},u1@example.com,"'=1+1",crm-1,unverified,false,false,nb,password byou,0,0,,` +
      `${madeAt.toISOString()}\r\n`,
  );
});

it('an export finds the same users as the list', async () => {
  for (const query of [{ state: 'suspended' }, { search: 'bjorn 99' }, { signsInWith: 'byou' }] as const) {
    const asked = { projectId: at.projectId, ...query, limit: 500, sortBy: 'createdAt:asc' as const };
    const { items } = await at.owner.client.call(listUsers, { query: asked });
    expect(items.length).toBeGreaterThan(0);
    expect((await linesOf(query)).map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  }
  expect((await exported({ format: 'jsonl', search: 'nobody' })).text).toBe('');
});

it('an export contains no password, and the log names who exported but not the search', async () => {
  expect((await exported({ format: 'jsonl', search: 'u7@example.com' })).text).not.toContain('secret-hash');
  const now = at.world.now().getTime();
  const [entry] = await at.owner.client.call(readLogEntries, {
    params: { projectId: at.projectId },
    query: {
      begin: new Date(now - hourMs).toISOString(),
      end: new Date(now + hourMs).toISOString(),
      action: 'exportUsers',
      maxEntries: 1,
    },
  });
  expect(entry).toMatchObject({
    text: 'Users exported (by a search, jsonl)',
    actor: { id: at.owner.developer.id },
  });
  expect(JSON.stringify(entry)).not.toContain('u7@example.com');
});

it('an export is only for developers of the project', async () => {
  const viewer = await at.world.aDeveloper();
  expect((await exported({ format: 'csv' }, viewer)).status).toBe(403);
  const body = { email: viewer.email, role: 'viewer' as const };
  await at.owner.client.call(addMember, { params: { projectId: at.projectId }, body });
  const refused = await exported({ format: 'csv' }, viewer);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('ROLE_TOO_LOW')]);
});
