import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const channels = createRoute({
  getParentRoute: () => project,
  path: '/channels',
  staticData: { crumb: 'Channels', listedIn: [{ label: 'Firmware', to: '/projects/$projectId/firmware' }] },
});

const channelList = createRoute({
  getParentRoute: () => channels,
  path: '/',
  component: lazyRouteComponent(() => import('#console/firmware/channels/Channels.tsx'), 'Channels'),
});

const channel = createRoute({
  getParentRoute: () => channels,
  path: '/$channelId',
  staticData: { crumb: ({ names, params }) => names.channelId ?? params.channelId },
});

const channelHome = createRoute({
  getParentRoute: () => channel,
  path: '/',
  component: lazyRouteComponent(
    () => import('#console/firmware/channels/ChannelScreen.tsx'),
    'ChannelScreen',
  ),
});

const changeBundle = createRoute({
  getParentRoute: () => channel,
  path: '/bundle',
  staticData: { crumb: 'Roll out' },
  component: lazyRouteComponent(
    () => import('#console/firmware/rollouts/change/ChangeBundle.tsx'),
    'ChangeBundle',
  ),
});

const rollout = createRoute({
  getParentRoute: () => channel,
  path: '/rollouts/$rolloutId',
  staticData: { crumb: 'Rollout' },
});

const rolloutHome = createRoute({
  getParentRoute: () => rollout,
  path: '/',
  component: lazyRouteComponent(
    () => import('#console/firmware/rollouts/RolloutScreen.tsx'),
    'RolloutScreen',
  ),
});

const rolloutDevices = createRoute({
  getParentRoute: () => rollout,
  path: '/devices',
  staticData: { crumb: 'Devices' },
  component: lazyRouteComponent(
    () => import('#console/firmware/rollouts/RolloutDevices.tsx'),
    'RolloutDevices',
  ),
});

/** Channels, changes of their bundle, and rollouts. */
export const channelRoutes = [
  channels.addChildren([
    channelList,
    channel.addChildren([channelHome, changeBundle, rollout.addChildren([rolloutHome, rolloutDevices])]),
  ]),
] as const;
