import { Problem } from '#contract/problem.ts';
import { type ProxyAnswer, proxyTestBytesMax, type sendProxyCall } from '#contract/proxyCall.ts';
import type { Call } from '#server/endpoints/route.ts';
import { splitPath } from './composeCall.ts';
import { safeMethods } from './findSubject.ts';
import { callThrough } from './forward/callThrough.ts';
import { CollectingReceiver } from './forward/collectingReceiver.ts';
import { knownRoutes } from './knownRoutes.ts';
import { composeTried, pairsOf, subjectOf, takingRoute } from './testCall.ts';

/** Makes a call as an end user would, and answers what came back. */
export async function sendCall(call: Call<typeof sendProxyCall>): Promise<ProxyAnswer> {
  const { platform, now } = call;
  const { body: text, ...tried } = call.body;
  if (text !== undefined && safeMethods.has(tried.method))
    throw new Problem('INVALID_FIELDS', { fields: { body: 'NOT_WITH_METHOD' } });
  const { path, query } = splitPath(tried.path);
  const subject = await subjectOf(platform, tried, now);
  const route = takingRoute(await knownRoutes(platform, tried.projectId, now), subject, path);
  const body = text === undefined ? undefined : Buffer.from(text);
  const signers = route.signersAt(now);
  const composed = composeTried(call, tried, route, { subject, path, query, signers, body });
  const receiver = new CollectingReceiver(proxyTestBytesMax, platform.proxyLimits.idleMs);
  const begun = performance.now();
  const { method } = tried;
  const outgoing = { method, path: composed.path, headers: composed.headers, body, isUpgrade: false };
  await callThrough(platform, route, outgoing, receiver).catch(explain);
  const { status, headers, isTruncated } = receiver;
  if (status === 0) throw new Problem('PROXY_TIMEOUT');
  const ms = Math.round((performance.now() - begun) * 10) / 10;
  const { url } = composed;
  return { routeId: route.id, url, status, headers: pairsOf(headers), ...receiver.text(), isTruncated, ms };
}

/** A developer learns what an app does not. */
function explain(error: unknown): never {
  if (!(error instanceof Problem) || typeof error.cause !== 'string') throw error;
  throw new Problem(error.reason, {
    message: `The back end cannot be reached. ${error.cause}`,
    context: { fault: error.cause },
    ...(error.retryAfterS !== undefined && { retryAfterS: error.retryAfterS }),
  });
}
