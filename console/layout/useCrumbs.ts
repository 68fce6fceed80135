import { type LinkProps, useMatches, useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { type Project, readProject } from '#contract/project.ts';

export interface Crumb {
  label: string;
  link: LinkProps;
}

interface CrumbFrom {
  params: Record<string, string>;
  loaderData: unknown;
  /** The one the route lies in, as it is called now. */
  project: Project | undefined;
}

type CrumbOf = string | ((from: CrumbFrom) => string | undefined);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's word in the breadcrumbs and in the window's title; a function where the thing's name is the word. */
    crumb?: CrumbOf;
    /** The places above it that are no part of its address. */
    listedIn?: readonly { label: string; to: string }[];
    /** True: nobody sees it without a session. */
    guarded?: boolean;
  }
}

/** From the outermost place to the current one. */
export function useCrumbs(): readonly Crumb[] {
  const { projectId } = useParams({ strict: false });
  const params = { projectId: projectId ?? '' };
  const { data: project } = useRead(readProject, { params }, { enabled: projectId !== undefined });
  return useMatches().flatMap(({ staticData: { crumb, listedIn = [] }, params, loaderData, pathname }) => {
    const label = typeof crumb === 'function' ? crumb({ params, loaderData, project }) : crumb;
    const above = listedIn.map(({ label, to }) => ({ label, link: { to, params } as LinkProps }));
    return label ? [...above, { label, link: { to: pathname } as LinkProps }] : [];
  });
}
