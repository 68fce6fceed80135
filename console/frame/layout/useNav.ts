import { type LinkProps, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { type NavItem, projectNav } from './nav.ts';

export interface Place extends NavItem {
  link: LinkProps;
  current: boolean;
}

/** The places of the current project whose routes exist; none outside a project. */
export function useNav(): readonly Place[] {
  const router = useRouter();
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  const pathname = useRouterState({ select: state => state.location.pathname });
  if (projectId === undefined) return [];
  const part = pathname.split('/')[3] ?? '';
  return projectNav
    .filter(({ to }) => to in router.routesByPath)
    .map(item => ({
      ...item,
      link: { to: item.to, params: { projectId } } as LinkProps,
      current: item.parts.includes(part),
    }));
}
