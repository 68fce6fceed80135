import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const alerts = createRoute({
  getParentRoute: () => project,
  path: '/alerts',
  staticData: { crumb: 'Alerts' },
});

const alertList = createRoute({
  getParentRoute: () => alerts,
  path: '/',
  component: lazyRouteComponent(() => import('#console/devices/alerts/Alerts.tsx'), 'Alerts'),
});

/** Alerts of the whole project. */
export const alertRoutes = [alerts.addChildren([alertList])] as const;
