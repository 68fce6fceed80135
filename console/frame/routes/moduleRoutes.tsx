import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from './frameRoutes.tsx';

const modules = createRoute({
  getParentRoute: () => project,
  path: '/smart_modules',
  staticData: { crumb: 'Smart modules' },
});

const moduleList = createRoute({
  getParentRoute: () => modules,
  path: '/',
  component: lazyRouteComponent(() => import('#console/modules/list/SmartModules.tsx'), 'SmartModules'),
});

const module = createRoute({
  getParentRoute: () => modules,
  path: '/$moduleId',
  staticData: { crumb: ({ params }) => params.moduleId },
});

const moduleHome = createRoute({
  getParentRoute: () => module,
  path: '/',
  component: lazyRouteComponent(() => import('#console/modules/page/ModuleHome.tsx'), 'ModuleHome'),
});

const moduleRuns = createRoute({
  getParentRoute: () => module,
  path: '/runs',
  staticData: { crumb: 'Runs' },
  component: lazyRouteComponent(() => import('#console/modules/page/ModuleHome.tsx'), 'ModuleRuns'),
});

const moduleSettings = createRoute({
  getParentRoute: () => module,
  path: '/configuration',
  staticData: { crumb: 'Configuration' },
  component: lazyRouteComponent(() => import('#console/modules/page/ModuleHome.tsx'), 'ModuleSettings'),
});

const moduleWhyNot = createRoute({
  getParentRoute: () => module,
  path: '/why_not',
  staticData: { crumb: 'Why not?' },
  component: lazyRouteComponent(() => import('#console/modules/page/ModuleHome.tsx'), 'ModuleWhyNot'),
});

/** Smart modules: what happens in response to events. */
export const moduleRoutes = [
  modules.addChildren([
    moduleList,
    module.addChildren([moduleHome, moduleRuns, moduleSettings, moduleWhyNot]),
  ]),
] as const;
