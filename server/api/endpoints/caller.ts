import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { loadAccessToken, tokenIn } from '#server/api/sessions/accessToken.ts';
import { rememberedSession, rememberSession } from '#server/api/sessions/rememberedSessions.ts';
import { cookieName, hashToken, loadSession, type Session } from '#server/api/sessions/session.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Limits } from './limits.ts';

/**
 * Authenticates the caller by the access token if one is sent, even if there is also a cookie; otherwise by the cookie.
 * Counts the call against the caller's rate limit; a token that is not valid counts against its address.
 */
export async function callerOf(
  { access }: Endpoint,
  request: FastifyRequest,
  { platform, limits, now }: { platform: Platform; limits: Limits; now: Date },
): Promise<Session | undefined> {
  const token = tokenIn(request.headers.authorization);
  const session =
    token === undefined
      ? await sessionIn(request, access, { platform, now })
      : await loadAccessToken(platform, { token, address: request.ip, now });
  limits.checkCaller(session?.developerId, request.ip, now.getTime());
  if (token !== undefined) refuseEnded(session, now);
  if (!session?.suspended) return session;
  // A suspended account gets an error where a sign-in is required; elsewhere its cookie is ignored.
  if (access === 'public' && token === undefined) return undefined;
  throw new Problem('ACCOUNT_SUSPENDED');
}

/** If the call is about a row, the access query reads the session again, so a cached one is enough here. */
async function sessionIn(
  request: FastifyRequest,
  access: Endpoint['access'],
  { platform, now }: { platform: Platform; now: Date },
): Promise<Session | undefined> {
  const cookie = request.cookies[cookieName(platform)];
  if (!cookie) return undefined;
  const hash = hashToken(cookie);
  const remembered = typeof access === 'object' ? rememberedSession(platform, hash) : undefined;
  if (remembered) return remembered;
  const session = await loadSession(platform, hash, now);
  if (session && !session.suspended) rememberSession(platform, session);
  return session;
}

/** A token is sent on purpose, so an invalid one fails the call even if the endpoint is public. */
function refuseEnded(session: Session | undefined, now: Date): void {
  if (!session)
    throw new Problem('NO_LOGIN', {
      message: 'This access token is incomplete or was revoked. Create a new one under Account.',
    });
  if (session.expiresAt > now) return;
  const day = session.expiresAt.toISOString().slice(0, 10);
  throw new Problem('NO_LOGIN', {
    message: `This access token expired on ${day}. Create a new one under Account.`,
  });
}
