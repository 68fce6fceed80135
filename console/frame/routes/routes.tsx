import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Login } from '#console/accounts/signIn/Login.tsx';
import { basepath } from '#console/core/basepath.ts';
import { queryClient, readOptions } from '#console/core/client.ts';
import { ofOwn } from '#console/core/session.ts';
import { parseSearch, stringifySearch } from '#console/core/urlState.ts';
import { Failed } from '#console/frame/layout/Failed.tsx';
import { NoSuchPage } from '#console/frame/layout/NoSuchPage.tsx';
import { ScreenSkeleton } from '#console/ui/state/Skeleton.tsx';
import type { EmailTemplate } from '#contract/emailTemplate.ts';
import { pageSizeDefault } from '#contract/paging.ts';
import { listProjects } from '#contract/project.ts';
import { alertRoutes } from './alertRoutes.tsx';
import { channelRoutes } from './channelRoutes.tsx';
import { clientRoutes } from './clientRoutes.tsx';
import { deviceRoutes } from './deviceRoutes.tsx';
import { firmwareRoutes } from './firmwareRoutes.tsx';
import { project, root, shell } from './frameRoutes.tsx';
import {
  refuseForeignLogin,
  requireLogin,
  requireNoLogin,
  requireOpenSignUps,
  requireOwnAccounts,
} from './guards.ts';
import { moduleRoutes } from './moduleRoutes.tsx';
import { readAhead } from './openAhead.ts';
import { userRoutes } from './userRoutes.tsx';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});

// The sign-in is part of the first file, as it is the first thing anyone sees; every other screen has a file of its
// own.
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { crumb: 'Sign in' },
  beforeLoad: requireNoLogin,
  component: Login,
});

const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  staticData: { crumb: 'Create an account' },
  beforeLoad: requireOpenSignUps,
  component: lazyRouteComponent(() => import('#console/accounts/signIn/SignUp.tsx'), 'SignUp'),
});

const auth2f = createRoute({
  getParentRoute: () => root,
  path: '/auth2f',
  staticData: { crumb: 'Two-factor sign-in' },
  component: lazyRouteComponent(() => import('#console/accounts/signIn/Auth2F.tsx'), 'Auth2F'),
});

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  staticData: { crumb: 'Verify your e-mail' },
  component: lazyRouteComponent(() => import('#console/accounts/signIn/Verify.tsx'), 'Verify'),
});

const activate = createRoute({
  getParentRoute: () => root,
  path: '/activate',
  staticData: { crumb: 'Accept the invitation' },
  component: lazyRouteComponent(() => import('#console/accounts/signIn/Activate.tsx'), 'Activate'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset_password',
  staticData: { crumb: 'Reset your password' },
  component: lazyRouteComponent(() => import('#console/accounts/signIn/ResetPassword.tsx'), 'ResetPassword'),
});

const sudo = createRoute({
  getParentRoute: () => root,
  path: '/sudo',
  staticData: { crumb: 'Support session' },
  component: lazyRouteComponent(() => import('#console/accounts/signIn/Sudo.tsx'), 'Sudo'),
});

const notFound = createRoute({
  getParentRoute: () => root,
  path: '/not_found',
  staticData: { crumb: 'Not found' },
  component: NoSuchPage,
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  staticData: { crumb: 'Account' },
  beforeLoad: refuseForeignLogin,
  component: lazyRouteComponent(() => import('#console/accounts/Account.tsx'), 'Account'),
});

const projects = createRoute({
  getParentRoute: () => shell,
  path: '/projects',
  staticData: {
    crumb: 'Projects',
    guarded: true,
    ahead: () =>
      window.location.search ||
      readAhead(listProjects, { query: { ...ofOwn(), limit: pageSizeDefault, skip: 0 } }),
  },
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('#console/projects/Projects.tsx'), 'Projects'),
});

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  staticData: { ahead: params => import('./firstReads.ts').then(reads => reads.overview(params)) },
  component: lazyRouteComponent(() => import('#console/projects/ProjectOverview.tsx'), 'ProjectOverview'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  staticData: { crumb: 'Settings' },
});

const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('#console/projects/settings/General.tsx'), 'General'),
});

const userAuthSettings = createRoute({
  getParentRoute: () => settings,
  path: '/user_auth',
  staticData: { crumb: 'User auth' },
  beforeLoad: requireOwnAccounts,
  component: lazyRouteComponent(() => import('#console/projects/settings/userAuth/UserAuth.tsx'), 'UserAuth'),
});

const advancedSettings = createRoute({
  getParentRoute: () => settings,
  path: '/advanced',
  staticData: { crumb: 'Advanced' },
  component: lazyRouteComponent(() => import('#console/projects/settings/Advanced.tsx'), 'Advanced'),
});

const auditLogs = createRoute({
  getParentRoute: () => settings,
  path: '/audit_logs',
  staticData: { crumb: 'Audit logs' },
  component: lazyRouteComponent(() => import('#console/projects/auditLogs/AuditLogs.tsx'), 'AuditLogs'),
});

const httpLogs = createRoute({
  getParentRoute: () => settings,
  path: '/http_logs',
  staticData: { crumb: 'HTTP logs' },
  component: lazyRouteComponent(() => import('#console/projects/httpLogs/HttpLogs.tsx'), 'HttpLogs'),
});

const userAuthMethod = createRoute({
  getParentRoute: () => project,
  path: '/user_auth_methods/$methodId',
  staticData: {
    crumb: 'Sign-in method',
    listedIn: [
      { label: 'Settings', to: '/projects/$projectId/settings' },
      { label: 'User auth', to: '/projects/$projectId/settings/user_auth' },
    ],
  },
  component: lazyRouteComponent(
    () => import('#console/people/userAuthMethods/UserAuthMethod.tsx'),
    'UserAuthMethod',
  ),
});

const team = createRoute({
  getParentRoute: () => project,
  path: '/team',
  staticData: { crumb: 'Team' },
  component: lazyRouteComponent(() => import('#console/projects/team/Team.tsx'), 'Team'),
});

const emailTemplate = createRoute({
  getParentRoute: () => project,
  path: '/email_templates/$templateId',
  staticData: {
    crumb: ({ loaderData }) => (loaderData as EmailTemplate | undefined)?.name,
    listedIn: [
      { label: 'Settings', to: '/projects/$projectId/settings' },
      { label: 'User auth', to: '/projects/$projectId/settings/user_auth' },
    ],
  },
  // The screen shows any failure.
  loader: async ({ params }) => {
    const { readEmailTemplate } = await import('#contract/emailTemplate.ts');
    return queryClient.ensureQueryData(readOptions(readEmailTemplate, { params })).catch(() => undefined);
  },
  component: lazyRouteComponent(
    () => import('#console/projects/emailTemplates/EmailTemplateScreen.tsx'),
    'EmailTemplateScreen',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    login,
    signup,
    auth2f,
    verify,
    activate,
    resetPassword,
    sudo,
    notFound,
    shell.addChildren([
      account,
      projects,
      project.addChildren([
        overview,
        ...deviceRoutes,
        ...firmwareRoutes,
        ...channelRoutes,
        ...userRoutes,
        ...alertRoutes,
        ...clientRoutes,
        ...moduleRoutes,
        settings.addChildren([generalSettings, userAuthSettings, advancedSettings, auditLogs, httpLogs]),
        emailTemplate,
        userAuthMethod,
        team,
      ]),
    ]),
  ]),
  basepath,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  // The query cache knows the age of its data.
  defaultPreloadStaleTime: 0,
  // A screen belongs to the item in its address: another item gets a new one, without the forms, dialogs and values that
  // are open for the first.
  defaultRemountDeps: ({ params }) => params,
  defaultErrorComponent: Failed,
  // The page opens with its frame; the screen follows when it is loaded.
  defaultPendingComponent: ScreenSkeleton,
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
});
// From then on, the previous screen stays until the next one is loaded.
const opened = router.subscribe('onResolved', () => {
  router.options.defaultPendingMs = Number.POSITIVE_INFINITY;
  opened();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
