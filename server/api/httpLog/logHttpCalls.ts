import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Callers } from '#server/api/endpoints/apiDoor.ts';
import { onCallOver } from '#server/api/http/callOver.ts';
import type { Actor } from '#server/api/logs/append.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The caller, for the entry in the HTTP log; set by the door as soon as it is known. */
export interface LoggedCaller extends Pick<Callers, 'app' | 'key'> {
  projectId: string;
  endUser?: { id: string } | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    loggedCaller?: LoggedCaller;
    /** The reason, if the call was refused. */
    refusedFor?: string;
    /** Additional detail for the entry. */
    loggedDetail?: Record<string, unknown>;
    /** True if the handler writes the entry, because it knows when the call is over. */
    isLoggedByHandler?: boolean;
  }
}

/** Writes each call of an app or a back end to the HTTP log of its project. The call does not wait for the entry. */
export function logHttpCalls(api: FastifyInstance, platform: Platform): void {
  api.addHook('onError', async (request, _reply, error) => {
    request.refusedFor = (error as { reason?: string }).reason ?? 'DISABLED';
  });
  onCallOver(api, (request, reply, status) => {
    if (request.isLoggedByHandler) return;
    logHttpCall(platform, request, { status, ms: reply.elapsedTime });
  });
}

export function logHttpCall(
  platform: Platform,
  request: FastifyRequest,
  { status, ms: elapsedMs }: { status: number; ms: number },
): void {
  const { loggedCaller: caller, refusedFor: reason, loggedDetail, method } = request;
  if (!caller) return;
  const path = pathOf(request);
  const ms = Math.round(elapsedMs * 10) / 10;
  const { app, endUser, key, projectId } = caller;
  const from = { address: request.ip, requestId: request.id };
  const detail: Record<string, unknown> = { method, path, status, ms, ...from };
  if (app) detail.app = app.id;
  if (loggedDetail) Object.assign(detail, loggedDetail);
  if (reason !== undefined) detail.reason = reason;
  void platform.systemLog.append({
    projectId,
    stream: 'http',
    ts: platform.clock(),
    level: status >= 500 ? 0 : status >= 400 ? 1 : 2,
    subject: key?.id ?? endUser?.id ?? app?.id,
    actor: actorOf(caller),
    action: `${method} ${request.routeOptions.url ?? ''}`,
    text: `${method} ${path} ${status}`,
    detail,
  });
}

/** Without the query string, which may contain a ticket or an address, and without an address used as external id. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return (url.split('?')[0] ?? '').replace(/(\/externalUsers\/)[^/]*(?:@|%40)[^/]*/i, '$1…');
}

function actorOf({ app, endUser, key }: LoggedCaller): Actor {
  if (key) return { callerType: 'projectKey', id: key.id, displayName: key.name };
  // The name is looked up when the log is read, so that it can be erased.
  if (endUser) return { callerType: 'user', id: endUser.id, displayName: '' };
  return { callerType: 'agent', id: app?.id ?? '', displayName: app?.id ?? '' };
}
