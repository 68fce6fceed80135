import type { sendProxyCall } from '#contract/proxyCall.ts';
import { proxyPrefixes } from '#contract/proxyRoute.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import type { CallRecord } from './callRecord.ts';
import { countProxyCall } from './countProxyCalls.ts';

interface SentCall {
  routeId: string;
  record: CallRecord;
  /** The path after `appProxy`. */
  path: string;
  status: number;
  ms: number;
  reason: string | undefined;
}

/**
 * Counts a call of the tester and writes it to the HTTP log like a call of an app. The call does not wait for the
 * entry.
 */
export function logSentCall(
  call: Call<typeof sendProxyCall>,
  { routeId, record, path: rest, status, ms, reason }: SentCall,
): void {
  const { platform, from, body } = call;
  const { projectId, method, userId: asUser } = body;
  const ids: Record<string, unknown> = { ...body };
  const prefix = proxyPrefixes[body.resource].replace(/:(\w+)/g, (_, name: string) => String(ids[name]));
  const path = prefix + rest;
  const { requestId, address } = from;
  const failedFor = reason ?? (status >= 500 ? String(status) : undefined);
  countProxyCall(platform, { projectId, routeId, at: platform.clock(), ms, failedFor });
  platform.systemLog
    .append({
      projectId,
      stream: 'http',
      ts: platform.clock(),
      actor: actorOf(call),
      level: status >= 500 ? 0 : status >= 400 ? 1 : 2,
      action: call.endpoint.name,
      text: `${method} ${path} ${status}`,
      detail: {
        method,
        path,
        status,
        ms,
        address,
        requestId,
        asUser,
        ...record.detail,
        ...(reason !== undefined && { reason }),
      },
    })
    .catch(() => undefined);
}
