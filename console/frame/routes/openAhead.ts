import type { AnyRouter } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/core/client.ts';
import type { Input } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Starts the first reads of the screen as soon as the page opens. */
    ahead?: (params: Record<'projectId' | 'deviceId', string>) => unknown;
  }
}

/** Fetches the files and first reads of the screen before anything is drawn and before the organization is known. */
export function openAhead(router: AnyRouter): void {
  for (const { routeId, params, staticData } of router.matchRoutes(router.latestLocation)) {
    void router.loadRouteChunk(router.routesById[routeId]);
    staticData.ahead?.(params);
  }
}

/** The screen shows any failure. */
export function readAhead<E extends Endpoint>(endpoint: E, input: Input<E>): void {
  void queryClient.prefetchQuery(readOptions(endpoint, input));
}
