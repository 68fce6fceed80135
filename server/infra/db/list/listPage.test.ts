import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import type { ListDeclaration } from './declaration.ts';
import { limitsMs } from './findRows.ts';
import { type ListAnswer, listPage } from './listPage.ts';

let database: TestDatabase;
const now = new Date();
const count = 3_000;
const titles = ['', 'Äpfel', 'apfel', 'Zoë', 'zoe', 'ﬁn', 'FIN', '😀', '100%', 'a_b'];

// Ids are unique per owner; sizes, titles and times have ties, and two of these columns have nulls.
beforeAll(async () => {
  database = await testDatabase();
  await database.db.run(sql`
    create table books (owner text, id text, shelf text, number bigint, title text, size bigint, read_at timestamptz,
      title_order text collate "C" generated always as (name_order(title)) stored,
      search text generated always as (search_text(id || ' ' || title)) stored,
      primary key (owner, id), unique (number))`);
  await database.db.run(sql`create index on books (owner, shelf, title_order, id)`);
  await database.db.run(sql`create index on books using gin (owner, search gin_trgm_ops)`);
  await database.db.run(
    sql`create table lent (owner text, book text, to_whom text, primary key (owner, book))`,
  );
  await fill('ann', count);
  await fill('bob', 40);
});
afterAll(() => database.end());

async function fill(owner: string, many: number): Promise<void> {
  await database.db.run(sql`
    insert into books (owner, id, shelf, number, title, size, read_at)
    select ${owner}, 'b' || lpad(n::text, 5, '0'), 's' || n % 3, (hashtext(${owner})::bigint << 20) + n,
      (${titles}::text[])[1 + n % 10], nullif(n % 7, 3) - 2,
      case n % 5 when 0 then null when 1 then 'infinity' else '2026-01-01'::timestamptz + n % 50 * interval '1.000001 s' end
    from generate_series(1, ${many}::int) n`);
  await database.db.run(sql`
    insert into lent select owner, id, case when number % 4 = 0 then 'eve' end from books where owner = ${owner}`);
  // Without statistics, the planner assumes small tables and reads one of them completely for each row of the other.
  await database.db.run(sql`analyze books, lent`);
}

interface Filter {
  owner: string;
  shelf?: string;
  toWhom?: string;
}
interface Row {
  id: string;
  title: string;
}

const books: ListDeclaration<Filter, Row, string> = {
  tables: [
    { name: 'books', alias: 'b', id: 'id' },
    {
      name: 'lent',
      alias: 'l',
      id: 'book',
      conditions: ({ toWhom }) => (toWhom === undefined ? [] : [sql`l.to_whom = ${toWhom}`]),
    },
  ],
  owner: { column: 'owner', of: ({ owner }) => owner },
  idsAreGlobal: false,
  columns: sql`b.id, b.title, l.to_whom as "toWhom"`,
  toItem: ({ id }) => id,
  sortable: {
    id: 'id',
    title: { column: 'b.title_order', type: 'text', isIndexed: true },
    size: { column: 'b.size', type: 'bigint', isNullable: true, isIndexed: false },
    read: { column: 'b.read_at', type: 'timestamptz', isNullable: true, isIndexed: false },
    lent: { column: 'l.to_whom', type: 'text', isNullable: true, isIndexed: false },
  },
  search: 'b.search',
};
/** The same rows, with their number as id. */
const byNumber: ListDeclaration<Filter, { id: string }, string> = {
  tables: [{ name: 'books', alias: 'b', id: 'number' }],
  owner: books.owner,
  idsAreGlobal: true,
  idType: 'bigint',
  columns: sql`b.number as id, b.id as book`,
  toItem: row => (row as { id: string; book: string }).book,
  sortable: { number: 'id', size: { column: 'b.size', type: 'bigint', isNullable: true, isIndexed: false } },
};
/** The list on a single table, read shelf by shelf. */
const shelves: typeof books = {
  ...books,
  tables: [books.tables[0]],
  columns: sql`b.id, b.title`,
  group: {
    column: 'shelf',
    of: ({ shelf }) => shelf,
    all: ({ owner }, max) => sql`select distinct shelf as id from books where owner = ${owner} limit ${max}`,
  },
};

interface Asked {
  filter?: Partial<Filter>;
  sortBy?: string;
  search?: string;
  limit?: number;
  skip?: number;
  cursor?: string | undefined;
  limits?: typeof limitsMs;
}

/** More time than any step needs, on however busy a machine. */
const ample = { few: 60_000, page: 60_000, probe: 60_000, sorted: 60_000, walk: 60_000, total: 60_000 };

function page<R extends { id: string }>(list: ListDeclaration<Filter, R, string>, asked: Asked = {}) {
  const { filter, sortBy = 'id:asc', search, limit = 25, skip = 0, cursor, limits = ample } = asked;
  const [field = '', direction] = sortBy.split(':');
  const of = { limit, skip, sortBy: field, descending: direction === 'desc', search };
  return listPage(database.db, list, { filter: { owner: 'ann', ...filter }, page: of, cursor, now }, limits);
}

/** The whole list, page after page by its cursors. */
async function walked<R extends { id: string }>(
  list: ListDeclaration<Filter, R, string>,
  asked: Asked,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const met: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const answer: ListAnswer<string> = await page(list, { ...asked, cursor, skip: met.length });
    met.push(...answer.items);
    if (answer.nextCursor === undefined) return met;
    cursor = answer.nextCursor;
    await between();
  }
}

/** What the database itself returns for plain SQL. */
async function expected(order: string, where: Sql = sql`true`): Promise<string[]> {
  const rows = await database.db.many<{ id: string }>(sql`
    select b.id from books b join lent l on l.owner = b.owner and l.book = b.id
    where b.owner = 'ann' and ${where} order by ${raw(order)}`);
  return rows.map(({ id }) => id);
}

const orders: [string, string][] = [
  ['id:asc', 'b.id'],
  ['id:desc', 'b.id desc'],
  ['title:asc', 'title_order, b.id'],
  ['title:desc', 'title_order desc, b.id desc'],
  ['size:asc', 'size nulls first, b.id'],
  ['size:desc', 'size desc nulls last, b.id desc'],
  ['read:asc', 'read_at nulls first, b.id'],
  ['read:desc', 'read_at desc nulls last, b.id desc'],
  ['lent:asc', 'to_whom nulls first, b.id'],
];

describe('a list in pages', () => {
  it.each(orders)(
    'by %s equals the whole sorted list, with ties and nulls, by cursor and by skip',
    async (sortBy, order) => {
      const whole = await expected(order);
      expect(whole).toHaveLength(count);
      expect(await walked(books, { sortBy, limit: 437 })).toEqual(whole);
      for (const skip of [0, 1, 999, 2_990])
        expect((await page(books, { sortBy, skip })).items).toEqual(whole.slice(skip, skip + 25));
    },
  );

  it.each(orders.filter(([sortBy]) => !sortBy.startsWith('lent')))(
    'by %s is the same when read by groups, in one group, and with numeric ids',
    async (sortBy, order) => {
      const whole = await expected(order);
      expect(await walked(shelves, { sortBy, limit: 437 })).toEqual(whole);
      const ofOne = await expected(order, sql`shelf = 's1'`);
      expect(await walked(shelves, { sortBy, limit: 99, filter: { shelf: 's1' } })).toEqual(ofOne);
      const numbered = sortBy.replace('id', 'number');
      if (numbered.startsWith('number') || numbered.startsWith('size'))
        expect(await walked(byNumber, { sortBy: numbered, limit: 437 })).toEqual(whole);
    },
  );

  it('shows each existing row once, and rows inserted after the cursor, while rows are inserted', async () => {
    const whole = await expected('title_order, b.id');
    let came = 0;
    const met = await walked(books, { sortBy: 'title:asc', limit: 300 }, async () => {
      // One row before every position, and one after.
      for (const [id, title] of [
        [`a${came}`, ''],
        [`z${came}`, '😀😀'],
      ])
        await database.db.run(
          sql`insert into books (owner, id, shelf, title) values ('ann', ${id}, 's0', ${title})`,
        );
      came += 1;
    });
    await database.db.run(sql`delete from books where owner = 'ann' and number is null`);
    expect(met.slice(0, count)).toEqual(whole);
    expect(met.slice(count)).toEqual(Array.from({ length: came }, (_, i) => `z${i}`));
  });

  it('is empty past its end and has the total', async () => {
    const past = await page(books, { skip: count });
    expect(past).toEqual({ items: [], total: count, totalIsLowerBound: false, nextCursor: undefined });
  });

  it.each([
    '{"order":"size:false","key":"9223372036854775808","id":"b"}',
    '{"order":"size:false","key":"1.5","id":"b"}',
    '{"order":"read:false","key":"tomorrow","id":"b"}',
    '{"order":"title:false","key":"\\u0000","id":"b"}',
    '{"order":"title:false","key":1,"id":"b"}',
    '{"order":"id:false","key":""}',
    'null',
  ])('rejects a cursor that it cannot have issued: %s', async text => {
    const sortBy = `${/order":"(\w+)/.exec(text)?.[1] ?? 'id'}:asc`;
    const cursor = Buffer.from(text).toString('base64url');
    await expect(page(books, { sortBy, cursor })).rejects.toMatchObject({ reason: 'INVALID_FIELDS' });
    const number = Buffer.from('{"order":"number:false","key":"","id":"b"}').toString('base64url');
    await expect(page(byNumber, { sortBy: 'number:asc', cursor: number })).rejects.toMatchObject({
      reason: 'INVALID_FIELDS',
    });
  });
});

describe('conditions on a list', () => {
  const noTime = { few: 0, page: 0, probe: 0, sorted: 0, walk: 0, total: 0 };
  const cases: [string, Asked, Sql][] = [
    ['a text, without case and accents', { search: 'ÀPFEL' }, sql`title in ('Äpfel', 'apfel')`],
    ['a text of two letters', { search: 'ZO' }, sql`title in ('Zoë', 'zoe')`],
    ['a ligature', { search: 'fin' }, sql`title in ('ﬁn', 'FIN')`],
    ['a character with a meaning in SQL', { search: '0%' }, sql`title = '100%'`],
    ['an id', { search: 'b01234' }, sql`b.id = 'b01234'`],
    ['a filter on another table', { filter: { toWhom: 'eve' } }, sql`to_whom = 'eve'`],
    ['both', { filter: { toWhom: 'eve' }, search: 'b012' }, sql`to_whom = 'eve' and b.id like 'b012%'`],
    ['a text that no row has', { search: 'nothing' }, sql`false`],
  ];

  it.each(cases)(
    'leave exactly the matching rows, in every order and with any time limit: %s',
    async (_, asked, where) => {
      for (const [sortBy, order] of orders) {
        const whole = await expected(order, where);
        for (const limits of [ample, limitsMs, noTime])
          expect(await walked(books, { ...asked, sortBy, limit: 400, limits })).toEqual(whole);
      }
      const { total } = await page(books, asked);
      expect(total).toBe((await expected('b.id', where)).length);
    },
  );

  it('that run out of time give a short but correct page and a total that is a lower bound', async () => {
    await fill('eve', 10_050);
    const filter = { owner: 'eve' };
    const short = await page(books, { search: 'nothing', filter, limits: noTime });
    expect(short).toMatchObject({ items: [], totalIsLowerBound: true, nextCursor: expect.any(String) });
  });
});

describe('the total of a list', () => {
  it('is exact up to ten thousand, and a lower bound beyond that unless a counter has it', async () => {
    await fill('zoe', 10_020);
    const filter = { owner: 'zoe' };
    expect(await page(books)).toMatchObject({ total: count, totalIsLowerBound: false });
    expect(await page(books, { filter })).toMatchObject({ total: 10_000, totalIsLowerBound: true });
    const counted = { ...books, counted: () => sql`(select 10020::float8)` };
    expect(await page(counted, { filter })).toMatchObject({ total: 10_020, totalIsLowerBound: false });
    expect(await page(counted, { filter, skip: 11_000 })).toMatchObject({ items: [], total: 10_020 });
    expect(await page(counted, { search: 'zoe' })).toMatchObject({ total: 600 });
  });

  it('counts only the rows of one owner, even if others have the same ids', async () => {
    const { items, total } = await page(books, { filter: { owner: 'bob' }, limit: 100 });
    expect([items.length, new Set(items).size, total]).toEqual([40, 40, 40]);
  });
});
