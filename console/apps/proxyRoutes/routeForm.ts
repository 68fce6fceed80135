import type { BodyOf } from '#contract/endpoint.ts';
import type { HomeRole } from '#contract/home.ts';
import {
  type editProxyRoute,
  type ProxyResource,
  type ProxyRoute,
  proxyRolesDefault,
} from '#contract/proxyRoute.ts';
import { homeIdsIn, isSourcePath } from '#rules/apps/proxyPaths.ts';

/** A route in a form: its filters are typed as text. */
export interface RouteValues {
  resource: ProxyResource;
  sourcePath: string;
  targetUrl: string;
  description: string;
  homeIds: string;
  deviceClasses: string;
  entityClasses: string;
  entityIds: string;
  homeRoles: readonly HomeRole[];
  webSocket: boolean;
}

export const newRoute: RouteValues = {
  resource: 'home',
  sourcePath: '/',
  targetUrl: '',
  description: '',
  homeIds: '',
  deviceClasses: '',
  entityClasses: '',
  entityIds: '',
  homeRoles: proxyRolesDefault,
  webSocket: false,
};

export function valuesOf(route: ProxyRoute): RouteValues {
  const { resource, sourcePath, targetUrl, description, homeRoles, webSocket } = route;
  return {
    resource,
    sourcePath,
    targetUrl,
    description,
    homeRoles,
    webSocket,
    homeIds: route.homeIds.join(' '),
    deviceClasses: route.deviceClasses.join(' '),
    entityClasses: route.entityClasses.join(' '),
    entityIds: route.entityIds.join(' '),
  };
}

export const wordsOfRoute = {
  resource: 'Resource',
  sourcePath: 'Source path',
  targetUrl: 'Target',
  description: 'Description',
  homeIds: 'Homes',
  deviceClasses: 'Device classes',
  entityClasses: 'Entity classes',
  entityIds: 'Entities',
  homeRoles: 'Roles',
  webSocket: 'WebSocket',
} as const;

/** The faults that can be found without asking the server. */
export function faultsOf(values: RouteValues): Partial<Record<keyof RouteValues, string>> {
  return {
    ...(!isSourcePath(values.sourcePath.trim()) && {
      sourcePath: values.sourcePath.trim() ? 'INVALID' : 'REQUIRED',
    }),
    ...(!values.targetUrl.trim() && { targetUrl: 'REQUIRED' }),
    ...(values.homeRoles.length === 0 && { homeRoles: 'REQUIRED' }),
  };
}

/** In the format of the API; filters of other resources are left out. */
export function bodyOf(values: RouteValues) {
  const { resource, description, homeRoles, webSocket } = values;
  return {
    resource,
    description,
    webSocket,
    homeRoles: [...homeRoles],
    sourcePath: values.sourcePath.trim(),
    targetUrl: values.targetUrl.trim(),
    homeIds: resource === 'home' ? homeIdsIn(values.homeIds) : [],
    deviceClasses: resource === 'device' ? wordsIn(values.deviceClasses) : [],
    entityClasses: resource === 'entity' ? wordsIn(values.entityClasses) : [],
    entityIds: resource === 'entity' ? wordsIn(values.entityIds) : [],
  } satisfies BodyOf<typeof editProxyRoute>;
}

const wordsIn = (text: string) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];
