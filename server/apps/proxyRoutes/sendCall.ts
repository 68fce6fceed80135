import { Problem } from '#contract/problem.ts';
import { type ProxyAnswer, proxyTestBytesMax, type sendProxyCall } from '#contract/proxyCall.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { CallRecord } from './callRecord.ts';
import { splitPath } from './composeCall.ts';
import { safeMethods } from './findSubject.ts';
import { callThrough } from './forward/callThrough.ts';
import { CollectingReceiver } from './forward/collectingReceiver.ts';
import { knownRoutes } from './knownRoutes.ts';
import { logSentCall } from './logSentCall.ts';
import { takingRoute } from './matchRoutes.ts';
import { composeTried, pairsOf, subjectOf } from './testCall.ts';

/** Makes a call as an end user, and returns the answer. */
export async function sendCall(call: Call<typeof sendProxyCall>): Promise<ProxyAnswer> {
  const { platform, now } = call;
  const { body: text, ...tried } = call.body;
  if (text !== undefined && safeMethods.has(tried.method))
    throw new Problem('INVALID_FIELDS', { fields: { body: 'NOT_WITH_METHOD' } });
  const { path, query } = splitPath(tried.path);
  const subject = await subjectOf(platform, tried, now);
  const route = takingRoute(await knownRoutes(platform, tried.projectId, now), subject, path);
  const body = text === undefined ? undefined : Buffer.from(text);
  const { id: routeId } = route;
  const signers = route.signersAt(now);
  const composed = composeTried(call, tried, route, { subject, path, query, signers, body });
  const receiver = new CollectingReceiver(proxyTestBytesMax, platform.proxyLimits.idleMs);
  const record = new CallRecord(route, { subject, composed, now });
  if (body) record.sent(body);
  const begun = performance.now();
  const { method } = tried;
  const by = { userId: tried.userId, homeId: subject.homeId };
  const outgoing = { method, path: composed.path, headers: composed.headers, body, isUpgrade: false };
  try {
    const { fault, failedFor } = await callThrough(platform, { route, by }, outgoing, receiver);
    const { status, answer, bytes, isTruncated } = receiver;
    if (!answer) throw new Problem('PROXY_TIMEOUT');
    const ms = msSince(begun);
    record.started(status, answer);
    if (record.isWatched) record.received(bytes);
    record.end(bytes.length, fault);
    logSentCall(call, { routeId, record, path, status, ms, reason: failedFor });
    const headers = pairsOf(answer.headers);
    return { routeId, url: composed.url, status, headers, ...receiver.text(), isTruncated, ms };
  } catch (error) {
    receiver.breakOff();
    if (!(error instanceof Problem)) throw error;
    const { status, reason, cause } = error;
    record.end(0, typeof cause === 'string' ? cause : undefined);
    logSentCall(call, { routeId, record, path, status, ms: msSince(begun), reason });
    throw explained(error);
  }
}

const msSince = (begun: number) => Math.round((performance.now() - begun) * 10) / 10;

/** A developer gets the cause, which an app does not. */
function explained(error: Problem): Problem {
  if (typeof error.cause !== 'string') return error;
  return new Problem(error.reason, {
    message: `The back end cannot be reached. ${error.cause}`,
    context: { fault: error.cause },
    ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
  });
}
