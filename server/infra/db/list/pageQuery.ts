import { pageSizes } from '#contract/paging.ts';
import { contains } from '#server/infra/db/contains.ts';
import { type Db, empty, join, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import type { ListOrder } from './cursor.ts';
import type { ListDeclaration, Listed, ListTable } from './declaration.ts';
import { beyond, keyColumn, ordered } from './order.ts';

/** Up to this many groups are read in a branch each, in order; with more, all rows are sorted. */
const branchesMax = 40;

/** The requested page of a list. */
export interface Wanted<Filter, Row extends Listed> {
  list: ListDeclaration<Filter, Row, unknown>;
  filter: Filter;
  search: string | undefined;
  order: ListOrder;
  skip: number;
  limit: number;
}

/** `key`: the value that the row is sorted by, as text. */
export type PageRow<Row> = Row & { key: string };

/**
 * Reads the rows of a page after finding their ids in the indexes (deferred join). `more` is selected with each
 * row.
 */
export async function pageQuery<F, R extends Listed>(
  db: Db,
  wanted: Wanted<F, R>,
  more = empty,
): Promise<Sql> {
  return rowsOf(wanted, await placesQuery(db, wanted), more);
}

/** Finds the rows of a page, as `id` and `key`. */
export async function placesQuery<F, R extends Listed>(db: Db, wanted: Wanted<F, R>): Promise<Sql> {
  const { order, skip, limit } = wanted;
  const id = idColumn(wanted);
  const branches = (await groupsOf(db, wanted)).map(
    group => sql`${sourceOf(wanted, group)} ${ordered(order, keyColumn(order), id)}`,
  );
  if (branches.length === 1) return sql`${branches[0] ?? empty} ${part(limit, skip)}`;
  // With its own limit, each branch is read in index order and no further than needed.
  const all = branches.map(branch => sql`(${branch} ${part(skip + limit, 0)})`);
  return sql`
    select * from (${join(all, ' union all ')}) branches ${ordered(order, sql`key`, sql`id`)} ${part(limit, skip)}`;
}

/**
 * Common page sizes are literals: for a parameter, the planner assumes a tenth of all rows and replans on every
 * call.
 */
function part(limit: number, skip: number): Sql {
  if (skip > 0) return sql`limit ${limit} offset ${skip}`;
  return pageSizes.some(size => size + 1 === limit) ? raw(`limit ${limit}`) : sql`limit ${limit}`;
}

/** The groups to read in a branch each; `undefined` to read all rows at once. */
async function groupsOf<F, R extends Listed>(
  db: Db,
  { list: { group }, filter, order }: Wanted<F, R>,
): Promise<(string | undefined)[]> {
  const asked = group?.of(filter);
  if (!group || asked || order.key === 'id' || group.isNeedless?.(filter)) return [asked];
  const rows = await db.many<{ id: string }>(group.all(filter, branchesMax + 1));
  return rows.length === 0 || rows.length > branchesMax ? [undefined] : rows.map(({ id }) => id);
}

/** The source of matching rows, as `id` and `key`. Tables that add no condition are left out. */
export function sourceOf<F, R extends Listed>(
  wanted: Wanted<F, R>,
  group = wanted.list.group?.of(wanted.filter),
): Sql {
  const { list, filter, order } = wanted;
  const { owner } = list;
  const sorted = sortedTable(wanted);
  const tables = conditionsOf(wanted).filter(({ table, on }) => table === sorted || on.length > 0);
  const [first, ...others] = tables.map(({ table }) => table);
  const places = tables.flatMap(({ table: { alias } }) => [
    sql`${raw(`${alias}.${owner.column}`)} = ${owner.of(filter)}`,
    ...(group ? [sql`${raw(`${alias}.${list.group?.column}`)} = ${group}`] : []),
  ]);
  const after = beyond(order, keyColumn(order), idColumn(wanted));
  const conditions = [
    ...places,
    ...others.map(({ alias, id }) => sql`${raw(`${alias}.${id} = ${first?.alias}.${first?.id}`)}`),
    ...tables.flatMap(({ on }) => on),
    ...(after ? [after] : []),
  ];
  const from = raw(tables.map(({ table: { name, alias } }) => `${name} ${alias}`).join(','));
  return sql`
    select ${idColumn(wanted)} as id, ${keyColumn(order)} as key
    from ${from} where ${join(conditions, ' and ')}`;
}

interface Conditions<Filter> {
  table: ListTable<Filter>;
  on: Sql[];
}

/** The conditions besides owner and group, table by table. */
export function conditionsOf<F, R extends Listed>({
  list,
  filter,
  search,
}: Pick<Wanted<F, R>, 'list' | 'filter' | 'search'>): Conditions<F>[] {
  return list.tables.map((table, at) => {
    const on = table.conditions?.(filter) ?? [];
    if (at === 0 && search !== undefined && list.search) on.push(contains(raw(list.search), search));
    return { table, on };
  });
}

/** The table with the column sorted by, and so with its index. */
function sortedTable<F, R extends Listed>({ list, order: { key } }: Wanted<F, R>): ListTable<F> {
  const found = list.tables.find(({ alias }) => key !== 'id' && key.column.startsWith(`${alias}.`));
  return found ?? list.tables[0];
}

/** The id in the table whose index is read. */
function idColumn<F, R extends Listed>(wanted: Wanted<F, R>): Sql {
  const { alias, id } = sortedTable(wanted);
  return raw(`${alias}.${id}`);
}

/** The rows found as `id` and `key`, in order. */
export function rowsOf<F, R extends Listed>(wanted: Wanted<F, R>, found: Sql, more = empty): Sql {
  const { list, order } = wanted;
  return sql`
    with page as materialized (${found})
    select ${list.columns}, page.key::text as key ${more}
    from page join ${tablesOf(wanted, 'page')}
    ${ordered(order, sql`page.key`, sql`page.id`)}`;
}

/** All tables of the list, joined to the table of this name that has the ids. */
export function tablesOf<F, R extends Listed>(
  { list, filter }: Pick<Wanted<F, R>, 'list' | 'filter'>,
  found: string,
  join: 'join' | 'left join' = 'left join',
): Sql {
  const { owner, idsAreGlobal } = list;
  const [own, ...others] = list.tables;
  const more = others.map(
    ({ name, alias, id }) =>
      `${join} ${name} ${alias} on ${alias}.${owner.column} = ${own.alias}.${owner.column} and ${alias}.${id} = ${own.alias}.${own.id}`,
  );
  const isOwned = idsAreGlobal
    ? empty
    : sql`and ${raw(`${own.alias}.${owner.column}`)} = ${owner.of(filter)}`;
  return sql`${raw(`${own.name} ${own.alias} on ${own.alias}.${own.id} = ${found}.id`)} ${isOwned} ${raw(more.join(' '))}`;
}
