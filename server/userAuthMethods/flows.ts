import { timingSafeEqual } from 'node:crypto';
import { type Db, type Sql, sql } from '#server/db/sql.ts';
import type { Call } from '#server/endpoints/route.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';
import type { Platform } from '#server/platform.ts';
import { cookieOptions, hashToken, isSecure, newToken } from '#server/sessions/session.ts';
import type { SignInSecrets } from './signIn.ts';

export const flowLifeS = 600;
/** What came of a sign-in holds what a provider says about a person: it is shown, and soon forgotten. */
const outcomeLifeS = 3600;

/** How a sign-in ended. */
export type Outcome = { claims: Record<string, unknown> } | { fault: string };

/** A sign-in under way at a provider. */
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

/** Remembers a sign-in that begins now, in the browser of this call and in no other. */
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

/** The sign-in that a browser comes back from; undefined when it is not that browser's. */
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
  // Sealed by us, so what is in it is what `insertFlow` wrote.
  const { browser, ...secrets } = JSON.parse(platform.sealing.open(flow.secrets)) as Kept;
  const same = timingSafeEqual(hashToken(mark), Buffer.from(browser, 'base64url'));
  return same ? { flow, secrets } : undefined;
}

/** Whether a method `m` is returned to where a browser came back: its own address, or the one that methods shared. */
export function cameBackTo(methodId: string | undefined): Sql {
  return methodId === undefined ? sql`not m.own_callback` : sql`m.own_callback and m.id = ${methodId}`;
}

/** Uses a sign-in up: of any number of returns at the same instant exactly one goes on. */
export async function takeFlow(db: Db, id: string, now: Date): Promise<boolean> {
  const began = new Date(now.getTime() - flowLifeS * 1000);
  const taken = await db.run(sql`
    update user_auth_flows set used_at = ${now} where id = ${id} and used_at is null and created_at > ${began}`);
  return taken > 0;
}

export function keepOutcome(db: Db, id: string, outcome: Outcome): Promise<number> {
  return db.run(sql`
    update user_auth_flows set outcome = ${JSON.stringify(outcome)} where id = ${id} and outcome is null`);
}

/** What came of it so far, for the developer who began it. */
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

/** Marks the browser by a cookie, so that nobody can finish in it what was begun elsewhere. */
function markBrowser(call: Call): string {
  const name = cookieOf(call.platform);
  const known = call.from.cookies[name];
  // Several sign-ins may be under way in one browser.
  const mark = known && /^[\w-]{43}$/.test(known) ? known : newToken();
  call.setCookie(name, mark, cookieOptions(call.platform, flowLifeS));
  return mark;
}

function cookieOf(platform: Platform): string {
  return isSecure(platform) ? '__Host-mooring-sign-in' : 'mooring-sign-in';
}
