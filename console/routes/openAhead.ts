import type { AnyRouter } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/api.ts';
import type { Input } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Reads what the screen begins with, as the page opens. */
    ahead?: (params: Record<'projectId' | 'deviceId', string>) => unknown;
  }
}

/** Fetches the files of the screen and what it begins with while nothing is drawn yet, nor known whose console this is. */
export function openAhead(router: AnyRouter): void {
  for (const { routeId, params, staticData } of router.matchRoutes(router.latestLocation)) {
    void router.loadRouteChunk(router.routesById[routeId]);
    staticData.ahead?.(params);
  }
}

/** What fails is for the screen to say. */
export function readAhead<E extends Endpoint>(endpoint: E, input: Input<E>): void {
  void queryClient.prefetchQuery(readOptions(endpoint, input));
}
