import { type Sql, sql } from './sql.ts';

/**
 * Whether a text that was made by `search_text` has this in it. `%`, `_` and `\` are looked for as they are, and so are
 * their full-width forms, which would become them only after they were marked.
 */
export function contains(column: Sql, text: string): Sql {
  const like = `%${text.normalize('NFKD').replace(/[\\%_]/g, '\\$&')}%`;
  return sql`${column} like search_text(${like})`;
}
