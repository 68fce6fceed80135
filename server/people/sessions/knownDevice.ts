import { timingSafeEqual } from 'node:crypto';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { UserRecord } from '#server/people/users/userStore.ts';

interface Of {
  sessionId: string;
  userId: string;
}

/** Proves that a device had a session of the user. Only this server can create it, and nothing needs to be stored. */
export const deviceTokenOf = (sealing: Platform['sealing'], of: Of) =>
  `${of.sessionId}.${proofOf(sealing, of).toString('base64url')}`;

const proofOf = (sealing: Platform['sealing'], { sessionId, userId }: Of) =>
  sealing.mac(`device of ${sessionId} of ${userId}`);

/**
 * Recognizes a device that had a session of the user, or a network that a session of the last 30 days was used from:
 * apps that send no device token are recognized at home. Undefined for everybody else. With a new password, a device
 * counts as another one: its guesses were at the old password.
 */
export async function knownDevice(
  { db, sealing }: Pick<Platform, 'db' | 'sealing'>,
  user: UserRecord,
  { deviceToken = '', address }: { deviceToken?: string | undefined; address: string },
): Promise<string | undefined> {
  const since = user.passwordSetAt?.getTime() ?? 0;
  const [sessionId = '', proof = ''] = deviceToken.split('.');
  const right = proofOf(sealing, { sessionId, userId: user.id });
  const given = Buffer.from(proof, 'base64url');
  if (given.length === right.length && timingSafeEqual(given, right)) return `device ${sessionId} ${since}`;
  const network = networkOf(address);
  const used = await addressesOf(db, user);
  return used.some(one => networkOf(one) === network) ? `network ${network} ${since}` : undefined;
}

/** Chores delete sessions 30 days after their end. */
async function addressesOf(db: Db, { projectId, id }: UserRecord): Promise<string[]> {
  const rows = await db.many<{ address: string }>(sql`
    select address from user_sessions where project_id = ${projectId} and user_id = ${id}
    order by last_seen_at desc limit 200`);
  return rows.map(({ address }) => address);
}
