import { Problem } from '#contract/problem.ts';
import {
  checkProxyReachability,
  readProxyRouteFigures,
  sendProxyCall,
  testProxyRoutes,
} from '#contract/proxyCall.ts';
import {
  createProxyRoute,
  deleteProxyRoute,
  editProxyRoute,
  endPreviousSigningKey,
  listProxyRoutes,
  type ProxyRoute,
  proxyWatch,
  readProxyRoute,
  readSigningKey,
  rotateSigningKey,
  unwatchProxyRoute,
  watchProxyRoute,
} from '#contract/proxyRoute.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { signingKeyGrace } from '#rules/time/lifetimes.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { checkFilters, checkTargetUrl, withoutRepetitions } from './checkProxyRoute.ts';
import { proxyCallChores } from './countProxyCalls.ts';
import { reachabilityOf } from './reachabilityOf.ts';
import { figuresOf } from './routeFigures.ts';
import { publishRoutesChanged } from './routeNotices.ts';
import { sendCall } from './sendCall.ts';
import { newSigningKey, shownKey } from './signingKeys.ts';
import * as store from './store.ts';
import { testCall } from './testCall.ts';

export const proxyRoutes: Slice = {
  tables: {
    proxy_routes: 'A route from apps to a back end of the developer, with the keys that sign its calls.',
    proxy_route_hours: 'The calls of a proxy route in an hour: how many, and how long they took.',
    proxy_route_failures: 'The calls of a proxy route that failed in an hour, by reason.',
  },
  idPrefixes: ['prx', 'prk'],
  resources: { proxyRoute: store.proxyRouteResource },
  chores: proxyCallChores,
  routes: [
    on(listProxyRoutes, ({ db, query, page, now }) => store.proxyRoutesOf(db, query, { page, now })),

    on(createProxyRoute, checkedTarget, async (call, targetUrl) => {
      const { db, now, platform } = call;
      const { algorithm = 'hmac-sha256', ...body } = withoutRepetitions(call.body);
      checkFilters(body);
      const route = { projectId: body.projectId, id: platform.newId('prx') };
      const key = newSigningKey(platform, algorithm);
      const createdBy = actorOf(call).displayName;
      await store.insertProxyRoute(db, { ...body, ...route, targetUrl, key, createdBy, now });
      return changed(call, route);
    }),

    on(readProxyRoute, async call => call.row),

    on(editProxyRoute, checkedTarget, async (call, targetUrl) => {
      const { db, row } = call;
      const edit = withoutRepetitions(call.body);
      checkFilters({ ...row, ...edit, resource: edit.resource ?? row.resource });
      await store.updateProxyRoute(db, row, { ...edit, ...(edit.targetUrl !== undefined && { targetUrl }) });
      return changed(call, row);
    }),

    on(deleteProxyRoute, async call => {
      await store.deleteProxyRoute(call.db, call.row);
      publishChange(call, call.row);
    }),

    on(readSigningKey, async ({ db, row, platform }) => {
      const keys = await store.findSealedKeys(db, row);
      if (!keys) throw new Problem('PROXY_ROUTE_NOT_FOUND');
      const { previous } = row.signing;
      return {
        ...shownKey(platform, keys.current),
        ...(previous &&
          keys.previous && { previous: { ...shownKey(platform, keys.previous), until: previous.until } }),
      };
    }),

    on(rotateSigningKey, async call => {
      const { db, row, body, now, platform } = call;
      const key = newSigningKey(platform, body.algorithm ?? row.signing.algorithm);
      const until = new Date(now.getTime() + (body.graceS ?? signingKeyGrace.defaultS) * 1000);
      await store.rotateKey(db, row, { key, until, now });
      return changed(call, row);
    }),

    on(endPreviousSigningKey, async call => {
      if (!call.row.signing.previous) throw new Problem('NO_PREVIOUS_SECRET');
      await store.endPreviousKey(call.db, call.row);
      return changed(call, call.row);
    }),

    on(watchProxyRoute, async call => {
      const { db, row, body, now } = call;
      const minutes = body.minutes ?? proxyWatch.defaultMinutes;
      await store.watchUntil(db, row, new Date(now.getTime() + minutes * minuteMs));
      return changed(call, row);
    }),

    on(unwatchProxyRoute, async call => {
      await store.watchUntil(call.db, call.row, null);
      return changed(call, call.row);
    }),

    on(readProxyRouteFigures, ({ platform, row, now }) => figuresOf(platform, row, now)),
    on(checkProxyReachability, ({ platform, row, now }) => reachabilityOf(platform, row, now)),
    on(testProxyRoutes, testCall),

    on(sendProxyCall, sendCall, async (call, answer) => {
      const { routeId, url, status, ms } = answer;
      // The answer of a back end does not belong in the audit log.
      call.after = { routeId, url: url.replace(/\?.*/s, ''), status, ms };
      return answer;
    }),
  ],
};

/** Queries DNS, so it runs before the transaction. */
async function checkedTarget({
  platform,
  body,
}: Call<typeof createProxyRoute> | Call<typeof editProxyRoute>): Promise<string> {
  return body.targetUrl === undefined ? '' : checkTargetUrl(platform, body.targetUrl);
}

type Place = Pick<ProxyRoute, 'projectId' | 'id'>;

async function changed(
  call: Pick<Call, 'db' | 'now' | 'platform' | 'afterCommit'>,
  route: Place,
): Promise<ProxyRoute> {
  publishChange(call, route);
  const found = await store.findProxyRoute(call.db, route, call.now);
  if (!found) throw new Problem('PROXY_ROUTE_NOT_FOUND');
  return found;
}

function publishChange(
  { platform, afterCommit }: Pick<Call, 'platform' | 'afterCommit'>,
  { projectId }: Place,
): void {
  afterCommit(() => publishRoutesChanged(platform, projectId));
}
