import { pageSizes } from '#contract/paging.ts';
import { type Db, empty, join, raw, type Sql, sql } from '#server/db/sql.ts';
import { type ListedRow, listedColumns } from '#server/devices/device.ts';
import { type DeviceFilter, deviceConditions, presenceConditions } from './filters.ts';
import { beyond, idColumn, isById, keyColumn, type ListOrder, ordered } from './listOrder.ts';

/** Up to so many classes are read side by side, each in its order; of more, all devices are sorted. */
const branchesMax = 40;

export interface Wanted {
  filter: DeviceFilter;
  order: ListOrder;
  skip: number;
  limit: number;
}

export interface PageRow extends ListedRow {
  /** What it is sorted by, as text. */
  key: string;
}

/** The rows of a page: which they are is found in the indexes, and only these are read. `more` goes with each row. */
export async function pageQuery(db: Db, wanted: Wanted, more = empty): Promise<Sql> {
  return rowsOf(await placesQuery(db, wanted), wanted.order, more);
}

/** What stands on a page, as `id` and `key`. */
export async function placesQuery(db: Db, { filter, order, skip, limit }: Wanted): Promise<Sql> {
  const classes = await branchesOf(db, filter, order);
  const branches = classes.map(deviceClass => {
    const source = sourceOf({ ...filter, deviceClass }, order);
    return sql`${source} ${ordered(order, keyColumn(order), idColumn(order))}`;
  });
  if (branches.length === 1) return sql`${branches[0] ?? empty} ${part(limit, skip)}`;
  // Only with a limit of its own each branch is read in order, and no further than it must.
  const all = branches.map(branch => sql`(${branch} ${part(skip + limit, 0)})`);
  return sql`
    select * from (${join(all, ' union all ')}) branches ${ordered(order, sql`key`, sql`id`)} ${part(limit, skip)}`;
}

/**
 * The usual first pages say their length in the statement: of a length that is given with each call the planner thinks
 * that it is a tenth of all, and so plans anew every time.
 */
function part(limit: number, skip: number): Sql {
  if (skip > 0) return sql`limit ${limit} offset ${skip}`;
  return pageSizes.some(size => size + 1 === limit) ? raw(`limit ${limit}`) : sql`limit ${limit}`;
}

/** The rows of devices found as `id` and `key`, in order. */
export function rowsOf(found: Sql, order: ListOrder, more = empty): Sql {
  return sql`
    with page as materialized (${found})
    select ${listedColumns}, page.key::text as key ${more}
    from page join devices d on d.id = page.id
    left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    ${ordered(order, sql`page.key`, sql`page.id`)}`;
}

/** The classes to be read side by side; `undefined` for all at once. */
async function branchesOf(db: Db, filter: DeviceFilter, order: ListOrder): Promise<(string | undefined)[]> {
  if (filter.deviceClass || filter.homeId !== undefined || isById(order)) return [filter.deviceClass];
  const rows = await db.many<{ id: string }>(sql`
    select id from device_classes where project_id = ${filter.projectId} limit ${branchesMax + 1}`);
  return rows.length === 0 || rows.length > branchesMax ? [undefined] : rows.map(({ id }) => id);
}

/** Where matching devices come from, as `id` and `key`. A table that has nothing to say is left out. */
export function sourceOf(filter: DeviceFilter, order: ListOrder): Sql {
  const ofDevices = deviceConditions(filter);
  const ofPresence = presenceConditions(filter);
  const bySeen = order.sortBy === 'lastSeen';
  const tables = [
    { name: sql`d`, from: sql`devices d`, isNeeded: !bySeen || ofDevices.length > 0 },
    { name: sql`s`, from: sql`device_presence s`, isNeeded: bySeen || ofPresence.length > 0 },
  ].filter(({ isNeeded }) => isNeeded);
  const { projectId, deviceClass } = filter;
  const places = tables.flatMap(({ name }) => [
    sql`${name}.project_id = ${projectId}`,
    ...(deviceClass ? [sql`${name}.device_class = ${deviceClass}`] : []),
  ]);
  const after = beyond(order, keyColumn(order), idColumn(order));
  const conditions = [
    ...places,
    ...(tables.length > 1 ? [sql`s.device_id = d.id`] : []),
    ...ofDevices,
    ...ofPresence,
    ...(after ? [after] : []),
  ];
  return sql`
    select ${idColumn(order)} as id, ${keyColumn(order)} as key
    from ${join(tables.map(({ from }) => from))} where ${join(conditions, ' and ')}`;
}
