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
  component: lazyRouteComponent(() => import('#console/smartModules/list/SmartModules.tsx'), 'SmartModules'),
});

const module = createRoute({
  getParentRoute: () => modules,
  path: '/$moduleId',
  staticData: { crumb: ({ params }) => params.moduleId },
});

const moduleHome = createRoute({
  getParentRoute: () => module,
  path: '/',
  component: lazyRouteComponent(() => import('#console/smartModules/page/ModuleHome.tsx'), 'ModuleHome'),
});

/** What happens when something happens. */
export const moduleRoutes = [modules.addChildren([moduleList, module.addChildren([moduleHome])])] as const;
