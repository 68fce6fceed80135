import { type Sql, sql } from './sql.ts';

/**
 * Texts without a line feed, such as ids and JSON, as an array: neither side has to quote them, as in a list of the
 * driver's. What is empty or undefined is null.
 */
export const textLines = (texts: readonly (string | undefined)[]): Sql =>
  sql`string_to_array(${texts.join('\n')}, chr(10), '')`;
