import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/core/client.ts';
import { orLeave } from '#console/core/routeFailures.ts';
import { NoSuchPage } from '#console/frame/layout/NoSuchPage.tsx';
import { Root } from '#console/frame/layout/Root.tsx';
import { readProject } from '#contract/project.ts';
import { requireLogin } from './guards.ts';
import { readAhead } from './openAhead.ts';

// The parents of the routes of all nouns.
export const root = createRootRoute({ component: Root, notFoundComponent: () => <NoSuchPage /> });

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('#console/frame/layout/Shell.tsx'), 'Shell'),
  // Nothing is shown while the frame loads: a pending component would stay in its place until everything is loaded.
  pendingMs: Number.POSITIVE_INFINITY,
});

/** The parent of every route of a project: it requires a session and loads the project. */
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
