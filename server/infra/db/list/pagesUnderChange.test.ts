import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import type { ListDeclaration } from './declaration.ts';
import { limitsMs } from './findRows.ts';
import { listPage } from './listPage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.db.run(sql`
    create table things (owner text, id text, shelf text, title text, size bigint, seen_at timestamptz,
      title_order text collate "C" generated always as (name_order(title)) stored,
      primary key (owner, id))`);
  await database.db.run(sql`create index on things (owner, shelf, title_order, id)`);
});
afterAll(() => database.end());

interface Filter {
  owner: string;
}
interface Thing {
  id: string;
  shelf: string;
  title: string;
  size: number | null;
  seenAt: Date | null;
}

const things: ListDeclaration<Filter, { id: string }, string> = {
  tables: [{ name: 'things', alias: 't', id: 'id' }],
  owner: { column: 'owner', of: ({ owner }) => owner },
  idsAreGlobal: false,
  columns: sql`t.id`,
  toItem: ({ id }) => id,
  sortable: {
    id: 'id',
    title: { column: 't.title_order', type: 'text', isIndexed: true },
    size: { column: 't.size', type: 'bigint', isNullable: true, isIndexed: false },
    seen: { column: 't.seen_at', type: 'timestamptz', isNullable: true, isIndexed: false },
  },
};
/** The same list, read shelf by shelf. */
const byShelf: typeof things = {
  ...things,
  group: {
    column: 'shelf',
    of: () => undefined,
    all: ({ owner }, max) => sql`select distinct shelf as id from things where owner = ${owner} limit ${max}`,
  },
};

async function put(owner: string, all: readonly Thing[]): Promise<void> {
  await database.db.run(sql`
    insert into things (owner, id, shelf, title, size, seen_at)
    select ${owner}, * from unnest(
      ${all.map(({ id }) => id)}::text[], ${all.map(({ shelf }) => shelf)}::text[],
      ${all.map(({ title }) => title)}::text[], ${all.map(({ size }) => size)}::bigint[],
      ${all.map(({ seenAt }) => seenAt)}::timestamptz[])
    on conflict do nothing`);
}

const remove = (owner: string, ids: readonly string[]) =>
  database.db.run(sql`delete from things where owner = ${owner} and id = any(${[...ids]}::text[])`);

// Few values, so that there are ties, which only the id tells apart.
const thing: fc.Arbitrary<Thing> = fc.record({
  id: fc.integer({ min: 100, max: 199 }).map(n => `t${n}`),
  shelf: fc.constantFrom('a', 'b'),
  title: fc.constantFrom('', 'Äpfel', 'apfel', 'Zoë', 'a_b', 'a 2', 'a 10'),
  size: fc.constantFrom(null, -1, 0, 7),
  seenAt: fc.constantFrom(null, new Date(0), new Date('2026-11-20T08:00:00.001Z')),
});
const setOf = (max: number) => fc.uniqueArray(thing, { maxLength: max, selector: ({ id }) => id });

/** What happens after a page was read. */
const change = fc.record({
  appear: setOf(4),
  disappear: fc.uniqueArray(
    fc.integer({ min: 100, max: 199 }).map(n => `t${n}`),
    { maxLength: 20 },
  ),
});

/** More time than any step needs, on however busy a machine. */
const ample = Object.fromEntries(Object.keys(limitsMs).map(step => [step, 60_000])) as typeof limitsMs;

let runs = 0;

it.each([
  ['a list', things],
  ['a list in groups', byShelf],
])(
  '%s that changes while it is paged has no row twice, and misses none that was there throughout',
  async (_, list) => {
    const given = fc.record({
      first: setOf(40),
      changes: fc.array(change, { maxLength: 12 }),
      limit: fc.integer({ min: 1, max: 7 }),
      sortBy: fc.constantFrom('id', 'title', 'size', 'seen'),
      descending: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ first, changes, limit, sortBy, descending }) => {
        const owner = `owner${runs++}`;
        await put(owner, first);
        const standing = new Set(first.map(({ id }) => id));
        /** A row that comes back is another row. */
        const gone = new Set<string>();
        const met: string[] = [];
        for (let cursor: string | undefined, turn = 0; ; turn++) {
          const page = { limit, skip: met.length, sortBy, descending, search: undefined };
          const asked = { filter: { owner }, page, cursor, now: new Date() };
          const answer = await listPage(database.db, list, asked, ample);
          met.push(...answer.items);
          cursor = answer.nextCursor;
          if (cursor === undefined) break;
          const { appear, disappear } = changes[turn] ?? { appear: [], disappear: [] };
          await remove(owner, disappear);
          for (const id of disappear) {
            standing.delete(id);
            gone.add(id);
          }
          await put(owner, appear);
        }
        expect(met.filter((id, at) => met.indexOf(id) !== at && !gone.has(id))).toEqual([]);
        expect([...standing].filter(id => !met.includes(id))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
);
