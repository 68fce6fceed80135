import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readProject } from '#contract/project.ts';
import { queryClient, readOptions } from './api.ts';
import { requireLogin } from './guards.ts';
import { NoSuchPage } from './layout/NoSuchPage.tsx';
import { Root } from './layout/Root.tsx';
import { orLeave } from './routeFailures.ts';

// What the routes of the nouns hang on.
export const root = createRootRoute({ component: Root, notFoundComponent: () => <NoSuchPage /> });

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./layout/Shell.tsx'), 'Shell'),
});

/** Every route of a project hangs here: it asks for a login and loads the project. */
export const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId',
  staticData: {
    guarded: true,
    crumb: ({ project }) => project?.name,
  },
  beforeLoad: requireLogin,
  loader: ({ params, preload }) =>
    orLeave(queryClient.ensureQueryData(readOptions(readProject, { params })), preload),
});
