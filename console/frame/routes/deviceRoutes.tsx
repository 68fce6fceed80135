import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const deviceClasses = createRoute({
  getParentRoute: () => project,
  path: '/device_classes',
  staticData: { crumb: 'Devices' },
});

const deviceClassList = createRoute({
  getParentRoute: () => deviceClasses,
  path: '/',
  component: lazyRouteComponent(
    () => import('#console/devices/deviceClasses/DeviceClasses.tsx'),
    'DeviceClasses',
  ),
});

const deviceClass = createRoute({
  getParentRoute: () => deviceClasses,
  path: '/$classId',
  staticData: { crumb: ({ params }) => params.classId },
});

const deviceClassHome = createRoute({
  getParentRoute: () => deviceClass,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/device_classes/$classId/overview', params, replace: true });
  },
});

const classOverview = createRoute({
  getParentRoute: () => deviceClass,
  path: '/overview',
  staticData: { crumb: 'Class' },
  component: lazyRouteComponent(
    () => import('#console/devices/deviceClasses/ClassOverview.tsx'),
    'ClassOverview',
  ),
});

const instances = createRoute({
  getParentRoute: () => deviceClass,
  path: '/instances',
  staticData: { crumb: 'Instances' },
  component: lazyRouteComponent(() => import('#console/devices/instances/Instances.tsx'), 'Instances'),
});

const classAdvanced = createRoute({
  getParentRoute: () => deviceClass,
  path: '/advanced',
  staticData: { crumb: 'Advanced' },
  component: lazyRouteComponent(
    () => import('#console/devices/deviceClasses/ClassAdvanced.tsx'),
    'ClassAdvanced',
  ),
});

const allDevices = createRoute({
  getParentRoute: () => project,
  path: '/devices',
  staticData: {
    crumb: 'Devices',
    ahead: params => import('./firstReads.ts').then(reads => reads.devices(params)),
  },
  component: lazyRouteComponent(() => import('#console/devices/instances/AllDevices.tsx'), 'AllDevices'),
});

const begin = (params: { deviceId: string }) => import('./firstReads.ts').then(reads => reads.device(params));

const device = createRoute({
  getParentRoute: () => project,
  path: '/devices/$deviceId',
  staticData: {
    ahead: begin,
    crumb: ({ device, params }) => device?.name || device?.tag || params.deviceId,
    listedIn: ({ device }) => [
      { label: 'Devices', to: '/projects/$projectId/devices' },
      ...(device
        ? [
            {
              label: device.deviceClass,
              to: '/projects/$projectId/device_classes/$classId/instances',
              params: { classId: device.deviceClass },
            },
          ]
        : []),
    ],
  },
  // Starts while the pointer hovers over the link.
  loader: ({ params }) => begin(params),
  component: lazyRouteComponent(() => import('#console/devices/page/DeviceScreen.tsx'), 'DeviceScreen'),
});

const deviceHome = createRoute({
  getParentRoute: () => device,
  path: '/',
  component: lazyRouteComponent(() => import('#console/devices/page/DeviceHome.tsx'), 'DeviceHome'),
});

const timeline = createRoute({
  getParentRoute: () => device,
  path: '/timeline',
  staticData: { crumb: 'Timeline' },
  component: lazyRouteComponent(
    () => import('#console/devices/timeline/DeviceTimeline.tsx'),
    'DeviceTimeline',
  ),
});

const systemLogs = createRoute({
  getParentRoute: () => device,
  path: '/system_logs',
  staticData: { crumb: 'System logs' },
  component: lazyRouteComponent(() => import('#console/devices/page/SystemLogs.tsx'), 'SystemLogs'),
});

const deviceLogs = createRoute({
  getParentRoute: () => device,
  path: '/device_logs',
  staticData: { crumb: 'Device logs' },
  component: lazyRouteComponent(() => import('#console/logs/logRequests/DeviceLogs.tsx'), 'DeviceLogs'),
});

/** Device classes and devices. */
export const deviceRoutes = [
  deviceClasses.addChildren([
    deviceClassList,
    deviceClass.addChildren([deviceClassHome, classOverview, instances, classAdvanced]),
  ]),
  allDevices,
  device.addChildren([deviceHome, timeline, systemLogs, deviceLogs]),
] as const;
