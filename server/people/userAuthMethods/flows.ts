import { timingSafeEqual } from 'node:crypto';
import { hourS } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { cookieOptions, hashToken, isSecure, newToken } from '#server/api/sessions/session.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { SignInSecrets } from './signIn.ts';

export const flowLifeS = 600;
/** The outcome of a sign-in contains claims about a person, so it is deleted soon. */
const outcomeLifeS = hourS;

/** The outcome of a sign-in. */
export type Outcome = { claims: Record<string, unknown> } | { fault: string };

/** A sign-in in progress at a provider. */
export interface Flow {
  id: string;
  projectId: string;
  methodId: string;
  usedAt: Date | null;
  createdAt: Date;
  /** Sealed. */
  secrets: Buffer;
}

type Kept = SignInSecrets & { browser: string };

/** Stores a sign-in that begins now, tied to the browser of this call. */
export async function insertFlow(
  call: Call,
  given: { methodId: string; state: string; secrets: SignInSecrets },
): Promise<string> {
  const { db, platform, projectId, me, now } = call;
  const id = platform.newId('tst');
  const kept: Kept = { ...given.secrets, browser: hashToken(markBrowser(call)).toString('base64url') };
  await db.run(sql`
    insert into user_auth_flows (state_hash, id, project_id, method_id, developer_id, secrets, created_at)
    values (${hashToken(given.state)}, ${id}, ${projectId}, ${given.methodId}, ${me.developerId},
      ${platform.sealing.seal(JSON.stringify(kept))}, ${now})`);
  return id;
}

/** The sign-in of a browser that comes back; undefined if it began in another browser. */
export async function findFlow(
  { db, platform, from }: Pick<Call, 'db' | 'platform' | 'from'>,
  state: string,
  methodId: string | undefined,
): Promise<{ flow: Flow; secrets: SignInSecrets } | undefined> {
  const flow = await db.one<Flow>(sql`
    select f.id, f.project_id as "projectId", f.method_id as "methodId", f.used_at as "usedAt",
      f.created_at as "createdAt", f.secrets
    from user_auth_flows f join projects p on p.id = f.project_id and p.deleted_at is null
    join user_auth_methods m on m.project_id = f.project_id and m.id = f.method_id
    where f.state_hash = ${hashToken(state)} and ${cameBackTo(methodId)}`);
  const mark = from.cookies[cookieOf(platform)];
  if (!flow || !mark) return undefined;
  // Sealed by us, so the content is what `insertFlow` wrote.
  const { browser, ...secrets } = JSON.parse(platform.sealing.open(flow.secrets)) as Kept;
  const same = timingSafeEqual(hashToken(mark), Buffer.from(browser, 'base64url'));
  return same ? { flow, secrets } : undefined;
}

/** Condition on a method `m`: whether a browser came back to the right address, the method's own or the shared one. */
export function cameBackTo(methodId: string | undefined): Sql {
  return methodId === undefined ? sql`not m.own_callback` : sql`m.own_callback and m.id = ${methodId}`;
}

/** Uses up a sign-in: of any number of concurrent returns, exactly one continues. */
export async function takeFlow(db: Db, id: string, now: Date): Promise<boolean> {
  const began = new Date(now.getTime() - flowLifeS * 1000);
  const taken = await db.run(sql`
    update user_auth_flows set used_at = ${now} where id = ${id} and used_at is null and created_at > ${began}`);
  return taken > 0;
}

export function storeOutcome(db: Db, id: string, outcome: Outcome): Promise<number> {
  return db.run(sql`
    update user_auth_flows set outcome = ${JSON.stringify(outcome)} where id = ${id} and outcome is null`);
}

/** The current outcome, for the developer who began the sign-in. */
export function findOutcome(
  db: Db,
  asked: { id: string; projectId: string; methodId: string; developerId: string; now: Date },
): Promise<{ outcome: Outcome | null; createdAt: Date } | undefined> {
  return db.one(sql`
    select outcome, created_at as "createdAt" from user_auth_flows
    where id = ${asked.id} and project_id = ${asked.projectId} and method_id = ${asked.methodId}
      and developer_id = ${asked.developerId} and created_at > ${forgottenBefore(asked.now)}`);
}

function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - outcomeLifeS * 1000);
}

export const userAuthChores: readonly Chore[] = [
  {
    name: 'sign-ins at providers',
    deletes: now => sql`
      delete from user_auth_flows where id in (
        select id from user_auth_flows where created_at < ${forgottenBefore(now)} limit ${batch}) returning 1`,
  },
];

/** Marks the browser with a cookie, so that nobody can finish a sign-in there that began elsewhere. */
function markBrowser(call: Call): string {
  const name = cookieOf(call.platform);
  const known = call.from.cookies[name];
  // Several sign-ins may be in progress in one browser.
  const mark = known && /^[\w-]{43}$/.test(known) ? known : newToken();
  call.setCookie(name, mark, cookieOptions(call.platform, flowLifeS));
  return mark;
}

function cookieOf(platform: Platform): string {
  return isSecure(platform) ? '__Host-mooring-sign-in' : 'mooring-sign-in';
}
