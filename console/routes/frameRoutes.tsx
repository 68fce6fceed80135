import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/api.ts';
import { NoSuchPage } from '#console/layout/NoSuchPage.tsx';
import { Root } from '#console/layout/Root.tsx';
import { orLeave } from '#console/routeFailures.ts';
import { readProject } from '#contract/project.ts';
import { requireLogin } from './guards.ts';
import { readAhead } from './openAhead.ts';

// What the routes of the nouns hang on.
export const root = createRootRoute({ component: Root, notFoundComponent: () => <NoSuchPage /> });

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('#console/layout/Shell.tsx'), 'Shell'),
  // What is shown in place of a route stays there until all is: the frame itself is waited for, to stand around it.
  pendingMs: Number.POSITIVE_INFINITY,
});

/** Every route of a project hangs here: it asks for a login and loads the project. */
export const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId',
  staticData: {
    guarded: true,
    crumb: ({ project }) => project?.name,
    ahead: ({ projectId }) => readAhead(readProject, { params: { projectId } }),
  },
  beforeLoad: requireLogin,
  loader: ({ params, preload }) =>
    orLeave(queryClient.ensureQueryData(readOptions(readProject, { params })), preload),
});
