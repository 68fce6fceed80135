import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { lasts, type Session } from './session.ts';

/** Reads the validity of a session again, and updates the session with changes to its account. */
export async function recheckSession(db: Db, session: Session, now: Date): Promise<void> {
  const found = await db.one<Pick<Session, 'suspended' | 'auth2FMissing'> & { lasts: boolean }>(sql`
    select d.suspended, o.require_two_factor and not d.totp_active as "auth2FMissing", ${lasts(session, now)} as lasts
    from developers d join organizations o on o.id = d.org_id where d.id = ${session.developerId}`);
  if (found?.suspended) throw new Problem('ACCOUNT_SUSPENDED');
  if (!found?.lasts) throw new Problem('NO_LOGIN');
  session.auth2FMissing = found.auth2FMissing;
}
