import { type Sql, sql } from './sql.ts';

/**
 * Passes texts without line feeds, such as ids and JSON, as an array. Unlike a list of the driver, neither side has to
 * quote them. Empty and undefined texts become null.
 */
export const textLines = (texts: readonly (string | undefined)[]): Sql =>
  sql`string_to_array(${texts.join('\n')}, chr(10), '')`;
