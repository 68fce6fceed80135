import { createHash } from 'node:crypto';
import type { Sql } from 'sql-template-tag';

/**
 * With more texts than this, further statements stay unnamed: every name takes memory in every connection permanently.
 */
const namesMax = 1_000;

export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** Names statements by their text, so that each connection plans each statement once. */
export function statementNames(): (query: Sql) => Statement {
  const names = new Map<string, string>();
  return query => {
    const { text, values } = query;
    let name = names.get(text);
    if (name === undefined) {
      if (names.size >= namesMax) return { text, values };
      name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
      names.set(text, name);
    }
    return { name, text, values };
  };
}

/** The statement without a name, which PostgreSQL plans anew for its values. */
export function unnamed({ text, values }: Sql): Statement {
  return { text, values };
}
