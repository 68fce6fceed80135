import { type Db, sql } from '#server/db/sql.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';
import { hashToken } from '#server/sessions/session.ts';
import { cameBackTo } from '#server/userAuthMethods/flows.ts';

/** How long somebody may take at the provider, and the app to fetch its tokens afterwards. */
export const signInLife = { providerS: 600, codeS: 60 };

/** A sign-in of an end user under way at a provider. */
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
  /** Sealed: verifier and nonce, later what the provider said. */
  secrets: Buffer;
  codeAt: Date | null;
}

const columns = sql`
  s.id, s.project_id as "projectId", s.method_id as "methodId", s.app_id as "appId", s.redirect_uri as "redirectUri",
  s.app_state as "appState", s.code_challenge as "codeChallenge", s.link_user_id as "linkUserId", s.secrets,
  s.code_at as "codeAt"`;

export function insertSignIn(
  db: Db,
  given: Omit<SignIn, 'codeAt'> & { state: string; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into user_sign_ins (id, project_id, method_id, app_id, state_hash, redirect_uri, app_state, code_challenge,
      link_user_id, secrets, created_at)
    values (${given.id}, ${given.projectId}, ${given.methodId}, ${given.appId}, ${hashToken(given.state)},
      ${given.redirectUri}, ${given.appState}, ${given.codeChallenge}, ${given.linkUserId}, ${given.secrets},
      ${given.now})`);
}

/**
 * Uses the state up with which a browser comes back: of any number of returns at the same instant, one goes on. Undefined:
 * nobody began it, it is over, it took too long, or this is not the address of its method: what another provider returned
 * is not meant for it.
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

/** Why a browser that came back is not let in. */
export type RefusedReturn = 'elsewhere' | 'again' | 'late';

/** Says why `takeReturn` took nothing: once for each reason, so that whoever has a state cannot fill a log with it. */
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

/** Whether anybody began a sign-in with this state, however it went on. */
export async function isState(db: Db, state: string): Promise<boolean> {
  const found = await db.one(
    sql`select 1 as found from user_sign_ins where state_hash = ${hashToken(state)}`,
  );
  return found !== undefined;
}

/** Keeps who it is until the app fetches its tokens with the code. */
export function keepCode(
  db: Db,
  { id }: Pick<SignIn, 'id'>,
  { code, secrets, now }: { code: string; secrets: Buffer; now: Date },
): Promise<number> {
  return db.run(sql`
    update user_sign_ins set code_hash = ${hashToken(code)}, code_at = ${now}, secrets = ${secrets} where id = ${id}`);
}

/** Uses a code up, also if it then turns out to come from the wrong app, too late or without its verifier. */
export function takeCode(db: Db, code: string, now: Date): Promise<SignIn | undefined> {
  return db.one<SignIn>(sql`
    update user_sign_ins s set finished_at = ${now}
    where s.code_hash = ${hashToken(code)} and s.finished_at is null returning ${columns}`);
}

/** Whether a code was used up before, by whomever. */
export async function isUsedUp(db: Db, projectId: string, code: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from user_sign_ins where project_id = ${projectId} and code_hash = ${hashToken(code)}`);
  return found !== undefined;
}

/** What somebody began to add to an account is not added to it any more. */
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
        select id from user_sign_ins where created_at < ${secondsBefore(now, 3600)} limit ${batch}) returning 1`,
  },
];
