import { type Sql, sql } from '#server/infra/db/sql.ts';

/**
 * Condition on what an end user gave in a session, by the columns of its project and session: it was not taken back. The
 * database deletes what is; this also covers what was being given meanwhile.
 */
export const isNotTakenBack = (projectId: Sql, session: Sql): Sql => sql`not exists (
  select from user_sessions gs
  where gs.project_id = ${projectId} and gs.id = ${session} and gs.taken_back)`;
