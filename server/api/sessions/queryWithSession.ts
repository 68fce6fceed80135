import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { type Session, sessionColumns, sessionOf } from './session.ts';

const prefix = 'session.';
const fields = Object.keys(sessionColumns) as (keyof typeof sessionColumns)[];
const columns = raw(fields.map(name => `${sessionColumns[name]} as "${prefix}${name}"`).join(', '));

type Row = Record<string, unknown>;

/**
 * A database whose first read also reads the session with a hash, in the same statement. `session` returns it, or
 * undefined if nothing has been read yet; if there is no session, the read finds no rows.
 */
export function queryWithSession(
  db: Db,
  hash: Buffer,
): { db: Db; session: () => { found: Session | undefined } | undefined } {
  let read: { found: Session | undefined } | undefined;
  let isFirst = true;
  async function many<T>(query: Sql): Promise<T[]> {
    if (!isFirst) return db.many<T>(query);
    isFirst = false;
    const rows = await db.many<Row>(sql`
      select c.*, f.* from (select ${columns} ${sessionOf(hash)}) c
      left join lateral (select true as "isFound", r.* from (${query}) r) f on true`);
    read = { found: rows[0] && sessionIn(rows[0]) };
    return rows.filter(({ isFound }) => isFound === true).map(withoutSession) as T[];
  }
  return {
    db: { many, one: async <T>(query: Sql) => (await many<T>(query))[0], run: query => db.run(query) },
    session: () => read,
  };
}

const sessionIn = (row: Row): Session =>
  Object.fromEntries(fields.map(name => [name, row[prefix + name]])) as Row & Session;

function withoutSession({ isFound: _, ...row }: Row): Row {
  for (const name of fields) delete row[prefix + name];
  return row;
}
