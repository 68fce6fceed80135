import { hourS } from '#rules/time/durations.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import { cameBackTo } from '#server/people/userAuthMethods/flows.ts';

/** How long a user may take at the provider, and the app to fetch its tokens afterwards. */
export const signInLife = { providerS: 600, codeS: 60 };

/** A sign-in of an end user in progress at a provider. */
export interface SignIn {
  id: string;
  projectId: string;
  methodId: string;
  appId: string;
  redirectUri: string;
  appState: string | null;
  codeChallenge: string;
  /** The signed-in user to whose account the method is added. */
  linkUserId: string | null;
  /** The session in which the user began to add it, and with which that ends. */
  linkSessionId: string | null;
  /** Sealed: the verifier and nonce, later the claims of the provider. */
  secrets: Buffer;
  codeAt: Date | null;
}

const columns = sql`
  s.id, s.project_id as "projectId", s.method_id as "methodId", s.app_id as "appId", s.redirect_uri as "redirectUri",
  s.app_state as "appState", s.code_challenge as "codeChallenge", s.link_user_id as "linkUserId",
  s.link_session_id as "linkSessionId", s.secrets, s.code_at as "codeAt"`;

export function insertSignIn(
  db: Db,
  given: Omit<SignIn, 'codeAt'> & { state: string; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into user_sign_ins (id, project_id, method_id, app_id, state_hash, redirect_uri, app_state, code_challenge,
      link_user_id, link_session_id, secrets, created_at)
    values (${given.id}, ${given.projectId}, ${given.methodId}, ${given.appId}, ${hashToken(given.state)},
      ${given.redirectUri}, ${given.appState}, ${given.codeChallenge}, ${given.linkUserId},
      ${given.linkSessionId}, ${given.secrets}, ${given.now})`);
}

/**
 * Uses up the state with which a browser comes back: of any number of concurrent returns, one continues. Undefined if
 * the state is unknown, used or too old, or if this is not the redirect URI of its method, because an answer of another
 * provider is not meant for it.
 */
export function takeReturn(
  db: Db,
  { state, methodId, now }: { state: string; methodId: string | undefined; now: Date },
): Promise<SignIn | undefined> {
  return db.one<SignIn>(sql`
    update user_sign_ins s set returned_at = ${now} from projects p, user_auth_methods m
    where s.state_hash = ${hashToken(state)} and s.returned_at is null and s.created_at > ${secondsBefore(now, signInLife.providerS)}
      and p.id = s.project_id and p.deleted_at is null
      and m.project_id = s.project_id and m.id = s.method_id and ${cameBackTo(methodId)}
    returning ${columns}`);
}

/** Why a return is refused. */
export type RefusedReturn = 'elsewhere' | 'again' | 'late';

/** Why `takeReturn` returned nothing: once for each reason, so that a known state cannot be used to fill a log. */
export function refuseReturn(
  db: Db,
  { state, methodId }: { state: string; methodId: string | undefined },
): Promise<(SignIn & { why: RefusedReturn }) | undefined> {
  return db.one(sql`
    with looked as (
      select s.id, case when not (${cameBackTo(methodId)}) then 'elsewhere' when s.returned_at is not null then 'again'
        else 'late' end as why
      from user_sign_ins s join projects p on p.id = s.project_id and p.deleted_at is null
      join user_auth_methods m on m.project_id = s.project_id and m.id = s.method_id
      where s.state_hash = ${hashToken(state)})
    update user_sign_ins s set refused = s.refused || looked.why from looked
    where s.id = looked.id and looked.why <> all (s.refused) returning ${columns}, looked.why`);
}

/** Whether a sign-in with this state was ever begun. */
export async function isState(db: Db, state: string): Promise<boolean> {
  const found = await db.one(
    sql`select 1 as found from user_sign_ins where state_hash = ${hashToken(state)}`,
  );
  return found !== undefined;
}

/** Stores the claims until the app fetches its tokens with the code. */
export function storeCode(
  db: Db,
  { id }: Pick<SignIn, 'id'>,
  { code, secrets, now }: { code: string; secrets: Buffer; now: Date },
): Promise<number> {
  return db.run(sql`
    update user_sign_ins set code_hash = ${hashToken(code)}, code_at = ${now}, secrets = ${secrets} where id = ${id}`);
}

/** Uses up a code, even if the app, time or verifier then turn out to be wrong. */
export function takeCode(db: Db, code: string, now: Date): Promise<SignIn | undefined> {
  return db.one<SignIn>(sql`
    update user_sign_ins s set finished_at = ${now}
    where s.code_hash = ${hashToken(code)} and s.finished_at is null returning ${columns}`);
}

/** Whether this code exists, which after a failed `takeCode` means that it was used. */
export async function isUsedUp(db: Db, projectId: string, code: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from user_sign_ins where project_id = ${projectId} and code_hash = ${hashToken(code)}`);
  return found !== undefined;
}

/** Discards methods that are being added to an account. */
export function dropLinking(
  db: Db,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<number> {
  return db.run(sql`delete from user_sign_ins where project_id = ${projectId} and link_user_id = ${userId}`);
}

const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

export const signInChores: readonly Chore[] = [
  {
    name: 'sign-ins of end users at providers',
    deletes: now => sql`
      delete from user_sign_ins where id in (
        select id from user_sign_ins where created_at < ${secondsBefore(now, hourS)} limit ${batch}) returning 1`,
  },
];
