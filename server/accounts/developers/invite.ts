import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { invitationLetter } from '#server/mail/sending/developerMails.ts';
import { mailTo } from './mailTo.ts';
import { findByEmail, insertDeveloper } from './store.ts';
import { dropTokens, makeToken } from './tokens.ts';

interface Invited {
  orgId: string;
  email: string;
  /** The member who invites to a project; undefined: the operator invites to the platform. */
  by?: { inviter: string; project: string };
}

/**
 * Creates an account that waits for its owner, and sends the link to /activate; a new invitation replaces the previous
 * one. Returns the id of the account, or undefined if the address already has one.
 */
export async function invite(db: Db, platform: Platform, given: Invited): Promise<string | undefined> {
  const { orgId, email, by } = given;
  const now = platform.clock();
  const name = email.split('@')[0] ?? email;
  await insertDeveloper(db, { id: platform.newId('dvl'), orgId, email, name, passwordHash: null, now });
  const row = await findByEmail(db, orgId, email);
  if (!row || row.passwordHash !== null) return undefined;
  await dropTokens(db, row.id, ['activation']);
  const token = await makeToken(db, 'activation', { orgId, developerId: row.id, now });
  await mailTo(db, platform, row, baseUrl => invitationLetter({ baseUrl, by, token }));
  return row.id;
}
