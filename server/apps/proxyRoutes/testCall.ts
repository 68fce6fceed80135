import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { ProxyTest, sendProxyCall, testProxyRoutes } from '#contract/proxyCall.ts';
import { proxyRolesDefault } from '#contract/proxyRoute.ts';
import type { UserCaller } from '#server/api/endpoints/apiDoor.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Composed, composeCall, splitPath, viaOf } from './composeCall.ts';
import { findSubject } from './findSubject.ts';
import type { Signer } from './forward/signMessage.ts';
import { type KnownRoute, knownRoutes, type Matched } from './knownRoutes.ts';
import { explainRoutes, type Subject, takingRoute } from './matchRoutes.ts';

/** A call that a developer tries, as an end user would make it. */
export type Tried = Omit<BodyOf<typeof sendProxyCall>, 'body'>;

type TriedCall = Pick<Call, 'platform' | 'now' | 'from'>;

/** Returns what would happen to a call. Errors are part of the answer, because a test is for finding them. */
export async function testCall(call: Call<typeof testProxyRoutes>): Promise<ProxyTest> {
  const { body, platform, now } = call;
  const { draft, draftOf, ...tried } = body;
  try {
    const { path, query } = splitPath(tried.path);
    const subject = await subjectOf(platform, tried, now);
    const saved = await knownRoutes(platform, tried.projectId, now);
    const routes = draft ? withDraft(saved, draft, draftOf) : saved;
    const explained = explainRoutes(routes, subject, path);
    return {
      routes: explained.map(({ route, ...weighed }) => ({
        ...(!isDraft(route) && { routeId: route.id }),
        resource: route.resource,
        sourcePath: route.sourcePath,
        ...weighed,
      })),
      ...outcomeOf(call, tried, routes, { subject, path, query }),
    };
  } catch (error) {
    return { routes: [], ...refusalFor(error) };
  }
}

function outcomeOf(
  call: TriedCall,
  tried: Tried,
  routes: readonly (Matched | KnownRoute)[],
  { subject, path, query }: { subject: Subject; path: string; query: string },
): Pick<ProxyTest, 'refusal' | 'sent'> {
  try {
    const route = takingRoute(routes, subject, path);
    const signers = 'signersAt' in route ? route.signersAt(call.now) : [];
    const { url, headers, dropped } = composeTried(call, tried, route, { subject, path, query, signers });
    return { sent: { method: tried.method, url, headers: pairsOf(headers).map(cutSignature), dropped } };
  } catch (error) {
    return refusalFor(error);
  }
}

/** The request that a tried call would send. A real app would also send its token. */
export function composeTried(
  { platform, now, from }: TriedCall,
  { projectId, userId, method, headers = [] }: Tried,
  route: Matched,
  given: {
    subject: Subject;
    path: string;
    query: string;
    signers: readonly Signer[];
    body?: Buffer | undefined;
  },
): Composed {
  const { subject, path, query, signers, body } = given;
  const rawHeaders = ['authorization', '', ...headers.flatMap(({ name, value }) => [name, value])];
  return composeCall(
    route,
    { method, path, query, rawHeaders, isUpgrade: false, body, address: from.address },
    { projectId, userId, requestId: from.requestId, subject },
    { signers, via: viaOf(platform), now },
  );
}

/** The subject of the call, with the rights of the chosen user. */
export async function subjectOf(platform: Platform, tried: Tried, now: Date): Promise<Subject> {
  const { projectId, resource, method, userId, homeId, deviceId, entityId } = tried;
  const user = await platform.db.one<{ name: string; suspended: boolean; hasRoles: boolean }>(sql`
    select u.name, u.suspended, p.permission_based_access_control as "hasRoles"
    from users u join projects p on p.id = u.project_id where u.project_id = ${projectId} and u.id = ${userId}`);
  if (!user) throw new Problem('USER_NOT_FOUND');
  if (user.suspended) throw new Problem('USER_SUSPENDED');
  const caller: UserCaller = {
    id: userId,
    name: user.name,
    email: undefined,
    verified: true,
    sessionId: '',
    provedAt: now,
  };
  const asker = { projectId, user: caller, hasRoles: user.hasRoles, now };
  const ids = { userId, homeId, deviceId, entityId };
  return findSubject(platform.db, resource, ids, asker, { method, isUpgrade: false });
}

const drafts = new WeakSet<Matched>();
const isDraft = (route: Matched) => drafts.has(route);
/** Sorts after every id, because a new route would be the youngest. */
const draftId = '~';

function withDraft(
  saved: readonly KnownRoute[],
  given: NonNullable<BodyOf<typeof testProxyRoutes>['draft']>,
  draftOf: string | undefined,
): readonly (Matched | KnownRoute)[] {
  const { homeIds = [], deviceClasses = [], entityClasses = [], entityIds = [], webSocket = false } = given;
  const { resource, sourcePath, suspended = false, homeRoles = [...proxyRolesDefault] } = given;
  const targetUrl = given.targetUrl.replace(/\/+$/, '');
  const draft: Matched = {
    id: draftOf ?? draftId,
    resource,
    sourcePath,
    targetUrl,
    suspended,
    homeRoles,
    webSocket,
    homeIds,
    deviceClasses,
    entityClasses,
    entityIds,
  };
  drafts.add(draft);
  return [...saved.filter(({ id }) => id !== draftOf), draft];
}

function refusalFor(error: unknown): Pick<ProxyTest, 'refusal'> {
  if (!(error instanceof Problem)) throw error;
  return { refusal: { reason: error.reason, status: error.status, message: error.message } };
}

export function pairsOf(headers: readonly string[]): { name: string; value: string }[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: headers[at + 1] ?? '' }] : []));
}

/**
 * Shortened, because a complete signature would let a developer with read-only access call the back end as the
 * platform.
 */
function cutSignature({ name, value }: { name: string; value: string }) {
  return { name, value: name === 'signature' ? value.replace(/=:(.{12})[^:]*:/g, '=:$1…:') : value };
}
