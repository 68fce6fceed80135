import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { queryWithSession } from './queryWithSession.ts';
import { forgetSession, rememberSession } from './rememberedSessions.ts';
import { findSession, openSession, type Session } from './session.ts';

/**
 * Runs a check for a cached session, and reads the session again in the first statement of the check, which saves each
 * call a round trip. The result counts only if the session is still valid and unchanged; otherwise the check is
 * repeated with the current session.
 */
export async function confirmSession<T>(
  platform: Platform,
  { session, now, db }: { session: Session; now: Date; db: Db },
  check: (db: Db) => Promise<T>,
): Promise<T> {
  const beside = queryWithSession(db, session.hash);
  const [outcome] = await Promise.allSettled([check(beside.db)]);
  const { found } = beside.session() ?? { found: await findSession(db, session.hash) };
  const fresh = await openSession(platform, found, now);
  if (!fresh) {
    forgetSession(platform, session);
    throw new Problem('NO_LOGIN');
  }
  const isAsRemembered = saysTheSame(session, fresh);
  Object.assign(session, fresh);
  delete session.isRemembered;
  if (fresh.suspended) {
    forgetSession(platform, session);
    throw new Problem('ACCOUNT_SUSPENDED');
  }
  rememberSession(platform, fresh);
  if (!isAsRemembered) return check(db);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Compares everything that decides whether a call is allowed. */
function saysTheSame(remembered: Session, fresh: Session): boolean {
  return (
    remembered.developerId === fresh.developerId &&
    remembered.orgId === fresh.orgId &&
    remembered.verified === fresh.verified &&
    remembered.auth2FMissing === fresh.auth2FMissing &&
    remembered.sudoer === fresh.sudoer &&
    remembered.provedAt.getTime() === fresh.provedAt.getTime()
  );
}
