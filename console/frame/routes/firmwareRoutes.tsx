import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const firmware = createRoute({
  getParentRoute: () => project,
  path: '/firmware',
  staticData: { crumb: 'Firmware' },
  component: lazyRouteComponent(
    () => import('#console/firmware/overview/FirmwareOverview.tsx'),
    'FirmwareOverview',
  ),
});

const underFirmware = [{ label: 'Firmware', to: '/projects/$projectId/firmware' }];

const components = createRoute({
  getParentRoute: () => project,
  path: '/components',
  staticData: { crumb: 'Components', listedIn: underFirmware },
});

const componentList = createRoute({
  getParentRoute: () => components,
  path: '/',
  component: lazyRouteComponent(() => import('#console/firmware/components/Components.tsx'), 'Components'),
});

const component = createRoute({
  getParentRoute: () => components,
  path: '/$componentId',
  staticData: { crumb: ({ names, params }) => names.componentId ?? params.componentId },
});

const componentHome = createRoute({
  getParentRoute: () => component,
  path: '/',
  component: lazyRouteComponent(
    () => import('#console/firmware/components/ComponentScreen.tsx'),
    'ComponentScreen',
  ),
});

const version = createRoute({
  getParentRoute: () => component,
  path: '/versions/$versionId',
  staticData: { crumb: ({ names, params }) => names.versionId ?? params.versionId },
  component: lazyRouteComponent(
    () => import('#console/firmware/components/version/VersionScreen.tsx'),
    'VersionScreen',
  ),
});

const bundles = createRoute({
  getParentRoute: () => project,
  path: '/bundles',
  staticData: { crumb: 'Bundles', listedIn: underFirmware },
});

const bundleList = createRoute({
  getParentRoute: () => bundles,
  path: '/',
  component: lazyRouteComponent(() => import('#console/firmware/bundles/Bundles.tsx'), 'Bundles'),
});

const bundle = createRoute({
  getParentRoute: () => bundles,
  path: '/$bundleId',
  staticData: { crumb: ({ names, params }) => names.bundleId ?? params.bundleId },
  component: lazyRouteComponent(() => import('#console/firmware/bundles/BundleScreen.tsx'), 'BundleScreen'),
});

/** Firmware: its overview, components with their versions, and bundles. */
export const firmwareRoutes = [
  firmware,
  components.addChildren([componentList, component.addChildren([componentHome, version])]),
  bundles.addChildren([bundleList, bundle]),
] as const;
