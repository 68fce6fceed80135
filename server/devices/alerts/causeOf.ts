import { type Sql, sql } from '#server/infra/db/sql.ts';

/**
 * The cause of `alerts a`: a rule or an event, with a severity. Alerts of one cause are one row of the alert list, one
 * finding of the overview and one line of an e-mail.
 */
export const causeOf: Sql = sql`(a.severity || case when a.module_id <> '' then ':module:' || a.module_id
  else ':event:' || coalesce(a.event, '') end)`;
