import { randomInt, timingSafeEqual } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { mailCode, userLinkLife } from '#rules/time/lifetimes.ts';
import { countGuess } from '#server/accounts/identity/throttle.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import type { Platform } from '#server/infra/platform.ts';

export type Purpose = keyof typeof userLinkLife;

interface OfUser {
  projectId: string;
  userId: string;
}

/** The data of a registration; `passwordHash` is null if it is unclear whose password should apply. */
export interface Registered {
  passwordHash: string | null;
  name?: string | undefined;
  language?: string | undefined;
}

/** What a code from an e-mail proved, once used. */
export interface UsedCode {
  userId: string;
  purpose: Purpose;
  /** The address that the code was sent to. */
  email: string;
  /** For a verification: the registration that applies from now on. Null if the user's data stays as it is. */
  registered: Registered | null;
}

/**
 * Creates the token and code of an e-mail, of which only hashes are stored. They replace those of the previous e-mail,
 * except for verifications: a second registration of an address must not invalidate the first one. Whoever asked for the
 * previous one keeps tries of their own. An invitation has only a link, because its recipient does not have the app open
 * yet.
 */
export async function makeUserCode(
  db: Db,
  { sealing }: Pick<Platform, 'sealing'>,
  {
    projectId,
    userId,
    purpose,
    email,
    registered,
    askedFrom = [],
    now,
  }: OfUser & {
    purpose: Purpose;
    email: string;
    registered?: Registered | undefined;
    /** The networks of those who asked for the e-mail. */
    askedFrom?: readonly string[];
    now: Date;
  },
): Promise<{ token: string; code: string }> {
  const token = newToken();
  const code = String(randomInt(10 ** mailCode.digits)).padStart(mailCode.digits, '0');
  const codeHash = purpose === 'invite' ? null : sealing.mac(codeText({ projectId, userId, purpose, code }));
  const codeEnd = new Date(now.getTime() + mailCode.minutes * minuteMs);
  const end = new Date(now.getTime() + userLinkLife[purpose].ms);
  await db.run(sql`
    insert into user_codes (hash, project_id, user_id, purpose, email, code, code_expires_at, tries, created_at,
      expires_at, registered)
    values (${hashToken(token)}, ${projectId}, ${userId}, ${purpose}, ${email}, ${codeHash}, ${codeEnd},
      ${JSON.stringify(triesOf(askedFrom))}, ${now}, ${end}, ${registered ? JSON.stringify(registered) : null})
    on conflict (project_id, user_id, purpose) where purpose <> 'verification' do update set hash = excluded.hash, email = excluded.email,
      code = excluded.code, code_expires_at = excluded.code_expires_at, tries = case
        when user_codes.code_expires_at > ${now} then (
          select jsonb_object_agg(network, ${mailCode.triesMax}::integer)
          from jsonb_object_keys(user_codes.tries || excluded.tries) network)
        else excluded.tries end,
      created_at = excluded.created_at, expires_at = excluded.expires_at`);
  return { token, code };
}

/** The tries of all networks that asked for nothing, together, are under the empty name. */
const triesOf = (networks: readonly string[]) =>
  Object.fromEntries(['', ...networks].map(network => [network, mailCode.triesMax]));

/**
 * The registration that the next verification e-mail takes over from the previous one. If there are several
 * registrations, it has none: each has its own e-mail, and the reader of another e-mail must choose a new password.
 */
export async function takeRegistered(
  db: Db,
  { projectId, userId, now }: OfUser & { now: Date },
): Promise<{ registered: Registered | undefined; askedFrom: string[] }> {
  const open = await db.many<{ hash: Buffer; registered: Registered | null; askedFrom: string[] }>(sql`
    select hash, registered, case when code_expires_at > ${now} then array(select jsonb_object_keys(tries)) else '{}' end
      as "askedFrom"
    from user_codes
    where project_id = ${projectId} and user_id = ${userId} and purpose = 'verification' for update`);
  if (open.length > 1) return { registered: { passwordHash: null }, askedFrom: [] };
  const [one] = open;
  if (one) await db.run(sql`delete from user_codes where hash = ${one.hash}`);
  return { registered: one?.registered ?? undefined, askedFrom: one?.askedFrom ?? [] };
}

/** A password that is changed before the address was verified: the e-mail on its way then stands for the new one. */
export function renewRegistered(
  db: Db,
  { projectId, userId }: OfUser,
  { from, to }: { from: string; to: string },
): Promise<number> {
  return db.run(sql`
    update user_codes set registered = jsonb_set(registered, '{passwordHash}', to_jsonb(${to}::text))
    where project_id = ${projectId} and user_id = ${userId} and purpose = 'verification'
      and registered ->> 'passwordHash' = ${from}`);
}

const codeText = ({ projectId, userId, purpose, code }: OfUser & { purpose: Purpose; code: string }) =>
  `user code ${projectId} ${userId} ${purpose} ${code}`;

interface Proof {
  email?: string | undefined;
  code?: string | undefined;
  token?: string | undefined;
}

/**
 * Finds the proof for a code or token, and returns its hash; only `takeCode` tells whether it is valid. A wrong code
 * uses up one of its tries. Guesses are counted per address, known or not, so that a new e-mail does not allow more
 * guesses and the answers reveal nothing. Guesses from a network that asked for the code are counted apart from those of
 * everybody else, so that strangers cannot keep the owner from using it.
 */
export async function findProof(
  platform: Platform,
  { email, code, token }: Proof,
  {
    projectId,
    purposes,
    address,
    now,
  }: { projectId: string; purposes: readonly Purpose[]; address: string; now: Date },
): Promise<Buffer> {
  if (token !== undefined) return hashToken(token);
  if (email === undefined || code === undefined)
    throw new Problem('INVALID_FIELDS', { fields: { [email === undefined ? 'email' : 'code']: 'REQUIRED' } });
  const account = `user code ${purposes[0]} ${projectId} ${email}`;
  const network = networkOf(address);
  const open = sql`project_id = ${projectId} and email = ${email} and purpose = any(${purposes}) and code is not null
    and code_expires_at > ${now}`;
  const asked = await platform.db.one(
    sql`select 1 as found from user_codes where ${open} and tries ? ${network}::text limit 1`,
  );
  const guess = await countGuess(platform, {
    account,
    known: asked ? `network ${network}` : undefined,
    from: { kind: 'codes', address },
    now,
  });
  const tried = await platform.db.many<{ hash: Buffer; code: Buffer; userId: string; purpose: Purpose }>(sql`
    update user_codes set tries = tries || jsonb_build_object(${whose(network)}, (tries ->> ${whose(network)})::integer - 1)
    where ${open} and (tries ->> ${whose(network)})::integer > 0
    returning hash, code, user_id as "userId", purpose`);
  const right = tried.find(one =>
    timingSafeEqual(one.code, platform.sealing.mac(codeText({ ...one, projectId, code }))),
  );
  if (!right) throw new Problem('CODE_WRONG', { fields: { code: 'CODE_WRONG' } });
  await guess.succeed(platform.db);
  return right.hash;
}

/** The name of the tries that a guess from a network uses up. */
const whose = (network: string) => sql`case when tries ? ${network}::text then ${network}::text else '' end`;

interface Wanted {
  projectId: string;
  hash: Buffer;
  purposes: readonly Purpose[];
  now: Date;
}

/** Uses up a proof: of any number of concurrent callers, exactly one gets it. */
export function takeCode(db: Db, { projectId, hash, purposes, now }: Wanted): Promise<UsedCode | undefined> {
  return db.one<UsedCode>(sql`
    delete from user_codes
    where hash = ${hash} and project_id = ${projectId} and purpose = any(${purposes}) and expires_at > ${now}
    returning user_id as "userId", purpose, email, registered`);
}

/** Reads a proof without using it up. */
export function peekCode(db: Db, { projectId, hash, purposes, now }: Wanted): Promise<UsedCode | undefined> {
  return db.one<UsedCode>(sql`
    select user_id as "userId", purpose, email, registered from user_codes
    where hash = ${hash} and project_id = ${projectId} and purpose = any(${purposes}) and expires_at > ${now}`);
}

/** Invalidates proofs that were sent before. */
export function dropCodes(
  db: Db,
  { projectId, userId }: OfUser,
  purposes: readonly Purpose[],
): Promise<number> {
  return db.run(sql`
    delete from user_codes
    where project_id = ${projectId} and user_id = ${userId} and purpose = any(${purposes})`);
}
