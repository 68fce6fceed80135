import { type Sql, sql } from './sql.ts';

/**
 * Whether a column made by `search_text` contains a text. `%`, `_` and `\` are searched literally. So are their
 * full-width forms: they are normalized first, because otherwise they would turn into wildcards after escaping.
 */
export function contains(column: Sql, text: string): Sql {
  const like = `%${text.normalize('NFKD').replace(/[\\%_]/g, '\\$&')}%`;
  return sql`${column} like search_text(${like})`;
}
