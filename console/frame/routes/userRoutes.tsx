import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const users = createRoute({
  getParentRoute: () => project,
  path: '/users',
  staticData: { crumb: 'Users' },
});

const userList = createRoute({
  getParentRoute: () => users,
  path: '/',
  component: lazyRouteComponent(() => import('#console/people/users/Users.tsx'), 'Users'),
});

const user = createRoute({
  getParentRoute: () => users,
  path: '/$userId',
  staticData: { crumb: ({ names, params }) => names.userId ?? params.userId },
  component: lazyRouteComponent(() => import('#console/people/users/page/UserScreen.tsx'), 'UserScreen'),
});

const homes = createRoute({
  getParentRoute: () => project,
  path: '/homes',
  staticData: { crumb: 'Homes', listedIn: [{ label: 'Users', to: '/projects/$projectId/users' }] },
});

const homeList = createRoute({
  getParentRoute: () => homes,
  path: '/',
  component: lazyRouteComponent(() => import('#console/people/homes/Homes.tsx'), 'Homes'),
});

const home = createRoute({
  getParentRoute: () => homes,
  path: '/$homeId',
  staticData: { crumb: ({ names, params }) => names.homeId ?? params.homeId },
  component: lazyRouteComponent(() => import('#console/people/homes/page/HomeScreen.tsx'), 'HomeScreen'),
});

/** End users and their homes. */
export const userRoutes = [users.addChildren([userList, user]), homes.addChildren([homeList, home])] as const;
