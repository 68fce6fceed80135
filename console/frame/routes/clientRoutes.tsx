import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const apps = createRoute({
  getParentRoute: () => project,
  path: '/apps',
  staticData: { crumb: 'Apps' },
});

const appList = createRoute({
  getParentRoute: () => apps,
  path: '/',
  component: lazyRouteComponent(() => import('#console/apps/Apps.tsx'), 'Apps'),
});

const app = createRoute({
  getParentRoute: () => apps,
  path: '/$appId',
  staticData: {
    crumb: ({ params }) => params.appId,
    listedIn: [{ label: 'User clients', to: '/projects/$projectId/apps' }],
  },
  component: lazyRouteComponent(() => import('#console/apps/AppScreen.tsx'), 'AppScreen'),
});

const otherClients = createRoute({
  getParentRoute: () => project,
  path: '/other_clients',
  staticData: { crumb: 'Other clients', listedIn: [{ label: 'Apps', to: '/projects/$projectId/apps' }] },
});

const keyList = createRoute({
  getParentRoute: () => otherClients,
  path: '/',
  component: lazyRouteComponent(() => import('#console/apps/keys/Keys.tsx'), 'Keys'),
});

const key = createRoute({
  getParentRoute: () => otherClients,
  path: '/$keyId',
  staticData: { crumb: ({ names, params }) => names.keyId ?? params.keyId },
  component: lazyRouteComponent(() => import('#console/apps/keys/KeyScreen.tsx'), 'KeyScreen'),
});

const proxyRoutes = createRoute({
  getParentRoute: () => project,
  path: '/proxy_routes',
  staticData: { crumb: 'App Proxy', listedIn: [{ label: 'Apps', to: '/projects/$projectId/apps' }] },
});

const proxyRouteList = createRoute({
  getParentRoute: () => proxyRoutes,
  path: '/',
  component: lazyRouteComponent(() => import('#console/apps/proxyRoutes/ProxyRoutes.tsx'), 'ProxyRoutes'),
});

const proxyRoute = createRoute({
  getParentRoute: () => proxyRoutes,
  path: '/$routeId',
  staticData: { crumb: ({ names, params }) => names.routeId ?? params.routeId },
  component: lazyRouteComponent(
    () => import('#console/apps/proxyRoutes/ProxyRouteScreen.tsx'),
    'ProxyRouteScreen',
  ),
});

/**
 * Everything that connects, except devices: the apps of users, back ends with their keys, and the proxy routes between
 * them.
 */
export const clientRoutes = [
  apps.addChildren([appList, app]),
  otherClients.addChildren([keyList, key]),
  proxyRoutes.addChildren([proxyRouteList, proxyRoute]),
] as const;
