import type { Client } from '#contract/client.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { createProject } from '#contract/project.ts';
import { listUsers, readUserCounts } from '#contract/user.ts';
import { type Database, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import { startBoth } from './reference/beside.ts';
import { ms, percentile, report } from './report.ts';

const rounds = 60;
/** So that the statements are prepared. */
const warmUps = 10;
const atOnce = 20_000;
const homesAtOnce = 5_000;

interface Question {
  name: string;
  query: Partial<QueryOf<typeof listUsers>>;
  /** The parts of a minimal query for the same page. */
  lean: { where?: string; order: string };
}

/** `npm run bench -- users [users]`: a million unless given. */
export async function run(words: string[]): Promise<void> {
  const size = Number(words[0] ?? 1_000_000);
  if (!Number.isInteger(size) || size < 10_000)
    throw new Error('Give how many users there are, 10000 or more.');
  const both = await startBoth();
  try {
    const { client } = await newcomer(both.mooring.url, 'bench@example.com');
    const { id } = await client.call(createProject, { body: { name: `${size} users` } });
    await seed(both.db, id, size);
    await reportTimes({ client, db: both.db, projectId: id, size });
  } finally {
    await both.end();
  }
}

/** Every seventh user is unverified, every hundredth suspended; one in four has a home. */
async function seed(db: Database, projectId: string, size: number): Promise<void> {
  for (let from = 1; from <= size; from += atOnce) {
    const to = Math.min(size, from + atOnce - 1);
    await db.run(sql`
      insert into users (project_id, id, email, name, password_hash, verified_at, suspended, last_seen_at, created_at)
      select ${projectId}, 'usr_' || lpad(n::text, 26, '0'), 'user' || n || '@example.com',
        (array['Ada', 'Björn', 'Chloé', 'Dmitri', 'Eve'])[1 + n % 5] || ' ' || substr(md5(n::text), 1, 6),
        case when n % 3 > 0 then 'hash' end, case when n % 7 > 0 then now() end, n % 100 = 0,
        case when n % 4 > 0 then now() - n * interval '1 second' end, now()
      from generate_series(${from}::int, ${to}::int) n`);
  }
  // Nobody listens to streams of these homes.
  await db.run(sql`alter table home_members disable trigger user`);
  for (let from = 1; from <= size; from += homesAtOnce * 4) {
    const to = Math.min(size, from + homesAtOnce * 4 - 1);
    await db.run(sql`
      with made as (
        insert into homes (project_id, name, time_zone, active, created_at)
        select ${projectId}, 'Home ' || n, 'Europe/Oslo', true, now() from generate_series(${from}::int, ${to}::int, 4) n
        returning id, substr(name, 6)::int as n)
      insert into home_members (project_id, home_id, user_id, role, joined_at)
      select ${projectId}, id, 'usr_' || lpad(n::text, 26, '0'), 'owner', now() from made`);
  }
  await db.run(sql`alter table home_members enable trigger user`);
  for (const table of ['users', 'homes', 'home_members', 'user_counts'])
    await db.run(sql`vacuum (analyze) ${raw(table)}`);
}

async function reportTimes({
  client,
  db,
  projectId,
  size,
}: {
  client: Client;
  db: Database;
  projectId: string;
  size: number;
}): Promise<void> {
  let cursor = '';
  await client.call(listUsers, {
    query: { projectId, sortBy: 'name:asc', skip: Math.floor(size / 2) },
    onHeaders: headers => {
      cursor = headers.get(nextCursorHeader) ?? '';
    },
  });
  const rows: string[][] = [];
  for (const { name, query, lean } of questionsOf(size, cursor)) {
    const ours = await times(() => client.call(listUsers, { query: { projectId, ...query } }));
    rows.push(rowOf(name, ours, await times(() => db.many(leanQuery(projectId, lean)))));
  }
  const counts = await times(() => client.call(readUserCounts, { params: { projectId } }));
  const counted = sql`select state, count(*) from users where project_id = ${projectId} group by state`;
  rows.push(rowOf('counts by state', counts, await times(() => db.many(counted))));
  report({
    title: `Users: listing ${size.toLocaleString('en')}, compared with the bare SQL of a page`,
    command: `npm run bench -- users ${size}`,
    head: ['25 with total', 'ours p50 / p95', 'bare SQL p50 / p95'],
    rows,
    notes: [
      `Calls to the running server, one after the other; ${rounds} rounds. The bare SQL runs on the same database without a server, and only reads the users of the page: neither homes nor total.`,
      'Counts by state are compared with what they would cost without counters.',
    ],
  });
}

const questionsOf = (size: number, cursor: string): Question[] => [
  { name: 'first page, by name', query: { sortBy: 'name:asc' }, lean: { order: 'name_order, id' } },
  { name: 'newest first', query: { sortBy: 'createdAt:desc' }, lean: { order: 'id desc' } },
  {
    name: 'last seen first',
    query: { sortBy: 'lastSeenAt:desc' },
    lean: { order: 'seen_order desc, id desc' },
  },
  {
    name: 'those suspended, by name',
    query: { sortBy: 'name:asc', state: 'suspended' },
    lean: { where: `state = 'suspended'`, order: 'name_order, id' },
  },
  {
    name: 'those without a verified address',
    query: { sortBy: 'name:asc', state: 'unverified' },
    lean: { where: `state = 'unverified'`, order: 'name_order, id' },
  },
  {
    name: 'those with a password',
    query: { sortBy: 'name:asc', signsInWith: 'password' },
    lean: { where: 'password_hash is not null', order: 'name_order, id' },
  },
  {
    name: 'an address that is there once',
    query: { sortBy: 'name:asc', search: `user${size - 1}@` },
    lean: { where: `search like '%user${size - 1}@%'`, order: 'name_order, id' },
  },
  {
    name: 'a name that one in five has',
    query: { sortBy: 'name:asc', search: 'chloe' },
    lean: { where: `search like '%chloe%'`, order: 'name_order, id' },
  },
  {
    name: 'the middle of all, by cursor',
    query: { sortBy: 'name:asc', cursor, skip: Math.floor(size / 2) },
    lean: { where: `(name_order, id) > ('chloe 8', '')`, order: 'name_order, id' },
  },
];

const leanQuery = (projectId: string, { where = 'true', order }: Question['lean']): Sql => sql`
  select id, email, name, external_id, state, verified_at, suspended, last_seen_at, created_at, revision from users
  where project_id = ${projectId} and ${raw(where)} order by ${raw(order)} limit 25`;

async function times(ask: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const startedAt = performance.now();
    await ask();
    if (round >= warmUps) took.push(performance.now() - startedAt);
  }
  return took;
}

function rowOf(name: string, ours: readonly number[], bare: readonly number[]): string[] {
  const cell = (took: readonly number[]) =>
    `${ms(percentile([...took], 0.5))} / ${ms(percentile([...took], 0.95))}`;
  return [name, cell(ours), cell(bare)];
}
