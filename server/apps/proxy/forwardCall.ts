import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { logHttpCall } from '#server/api/httpLog/logHttpCalls.ts';
import { CallRecord } from '#server/apps/proxyRoutes/callRecord.ts';
import { type Composed, composeCall, viaOf } from '#server/apps/proxyRoutes/composeCall.ts';
import { countProxyCall } from '#server/apps/proxyRoutes/countProxyCalls.ts';
import type { Outcome, Outgoing } from '#server/apps/proxyRoutes/forward/backEndCall.ts';
import { callThrough } from '#server/apps/proxyRoutes/forward/callThrough.ts';
import type { KnownRoute } from '#server/apps/proxyRoutes/knownRoutes.ts';
import type { Subject } from '#server/apps/proxyRoutes/matchRoutes.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Asked } from './appProxy.ts';
import { ReplyReceiver } from './replyReceiver.ts';
import { type RequestBody, readBody } from './requestBody.ts';
import { isStillAllowed } from './stillAllowed.ts';

/** The status that other servers log for a call whose client disconnected. */
const leftStatus = 499;

interface Allowed {
  asked: Asked;
  route: KnownRoute;
  subject: Subject;
  now: Date;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Forwards an allowed call, and records its outcome. */
export async function forwardCall(
  platform: Platform,
  allowed: Allowed,
  { request, reply }: Exchange,
): Promise<void> {
  const { asked, route } = allowed;
  const receiver = new ReplyReceiver(reply, platform.proxyLimits);
  const body = await readBody(request.raw, platform.proxyLimits);
  const composed = compose(platform, allowed, body, request);
  const record = new CallRecord(route, { ...allowed, composed });
  request.loggedDetail = record.detail;
  receiver.onStart = (status, answer) => {
    request.isLoggedByHandler = true;
    record.started(status, answer);
  };
  if (record.isWatched) receiver.onChunk = chunk => record.received(chunk);
  const { method, isUpgrade } = asked;
  const { path, headers } = composed;
  const outgoing: Outgoing = { method, path, headers, isUpgrade, body: watched(body, record) };
  const recheck = recheckEvery(platform, allowed, { request, receiver });
  try {
    const outcome = await callThrough(platform, { route, by: takerOf(allowed) }, outgoing, receiver);
    const bytes = receiver.closed ? await receiver.closed : outcome.bytes;
    record.end(bytes, outcome.fault);
    finish(platform, route, { ...outcome, bytes }, { request, reply, receiver });
  } catch (error) {
    if (error instanceof Problem) {
      record.end(0, typeof error.cause === 'string' ? error.cause : undefined);
      count(platform, route, { failedFor: error.reason, ms: reply.elapsedTime });
    }
    throw error;
  } finally {
    clearInterval(recheck);
  }
}

const takerOf = ({ asked, subject }: Allowed) => ({ userId: asked.user.id, homeId: subject.homeId });

function compose(
  platform: Platform,
  { asked, route, subject, now }: Allowed,
  { buffer, contentLength }: RequestBody,
  request: FastifyRequest,
): Composed {
  const { app, user, method, isUpgrade, path, query } = asked;
  const { rawHeaders } = request.raw;
  return composeCall(
    route,
    { method, path, query, isUpgrade, body: buffer, contentLength, rawHeaders, address: request.ip },
    { projectId: app.projectId, userId: user.id, requestId: request.id, subject },
    { signers: route.signersAt(now), via: viaOf(platform), now },
  );
}

/** Passes the body on, and records a part of it. */
function watched({ buffer, stream }: RequestBody, record: CallRecord): Outgoing['body'] {
  if (buffer) record.sent(buffer);
  if (!stream || !record.isWatched) return buffer ?? stream;
  return async function* (progress) {
    for await (const chunk of stream(progress)) {
      record.sent(chunk);
      yield chunk;
    }
  };
}

/** Ends a stream or a WebSocket soon after its user or route loses the right to it. */
function recheckEvery(
  platform: Platform,
  { asked, route }: Allowed,
  { request, receiver }: { request: FastifyRequest; receiver: ReplyReceiver },
): NodeJS.Timeout {
  return setInterval(() => {
    isStillAllowed(platform, asked, route.id).then(
      isAllowed => {
        if (isAllowed) return;
        request.refusedFor = 'NOT_ALLOWED';
        receiver.breakOff();
      },
      // If the database is unavailable, the check is repeated the next time.
      (error: unknown) =>
        platform.log('warn', 'A call through a proxy route could not be checked', { error: String(error) }),
    );
  }, platform.proxyLimits.recheckMs);
}

function finish(
  platform: Platform,
  route: KnownRoute,
  outcome: Outcome,
  { request, reply, receiver }: Exchange & { receiver: ReplyReceiver },
): void {
  const { status, bytes, failedFor, hasLeft } = outcome;
  platform.traffic.count(route.projectId, 'bytes', bytes);
  if (failedFor !== undefined) request.refusedFor ??= failedFor;
  request.isLoggedByHandler = true;
  logHttpCall(platform, request, { status: hasLeft ? leftStatus : status, ms: reply.elapsedTime });
  count(platform, route, {
    failedFor: failedFor ?? (status >= 500 ? String(status) : undefined),
    ms: receiver.isStream || hasLeft ? undefined : reply.elapsedTime,
  });
}

function count(
  platform: Platform,
  { projectId, id }: KnownRoute,
  { failedFor, ms }: { failedFor: string | undefined; ms: number | undefined },
): void {
  countProxyCall(platform, { projectId, routeId: id, at: platform.clock(), ms, failedFor });
}
