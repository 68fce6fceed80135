import { type Database, join, sql } from '#server/db/sql.ts';
import { deviceConditions, presenceConditions } from './filters.ts';
import { type ListOrder, ordered } from './listOrder.ts';
import { type PageRow, placesQuery, rowsOf, type Wanted } from './listPage.ts';

/** Devices looked at in one step. */
const stepMax = 5_000;

/** Where a walk that had to end goes on. */
export type Place = NonNullable<ListOrder['after']>;

/**
 * Looks at the devices of a project, or of a class, one after the other in the order asked for, until the page is full
 * or the time is up. For the few questions that no index answers; then the page may be short, and says where to go on.
 */
export async function walk(
  db: Database,
  wanted: Wanted,
  withinMs: number,
): Promise<{ rows: PageRow[]; goesOnAfter?: Place }> {
  const { projectId, deviceClass } = wanted.filter;
  const stopAt = performance.now() + withinMs;
  const missing = () => wanted.skip + wanted.limit - rows.length;
  const rows: PageRow[] = [];
  for (let order = wanted.order; ; ) {
    const step = { filter: { projectId, deviceClass }, order, skip: 0, limit: stepMax };
    const candidates = await placesQuery(db, step);
    rows.push(...(await db.search<PageRow>(matchingOf(wanted, order, candidates, missing()))));
    if (missing() <= 0) break;
    const end = await placesQuery(db, { ...step, skip: stepMax - 1, limit: 1 });
    const [last] = await db.search<Place>(sql`select id, key::text as key from (${end}) last`);
    if (!last) break;
    if (performance.now() > stopAt) return { rows: rows.slice(wanted.skip), goesOnAfter: last };
    order = { ...order, after: last };
  }
  return { rows: rows.slice(wanted.skip) };
}

function matchingOf({ filter }: Wanted, order: ListOrder, candidates: ReturnType<typeof sql>, limit: number) {
  const conditions = [...deviceConditions(filter), ...presenceConditions(filter)];
  return rowsOf(
    sql`
      select looked.id, looked.key from (${candidates}) looked
      join devices d on d.id = looked.id
      join device_presence s on s.project_id = d.project_id and s.device_id = d.id
      where ${join(conditions, ' and ')} ${ordered(order, sql`looked.key`, sql`looked.id`)} limit ${limit}`,
    order,
  );
}
