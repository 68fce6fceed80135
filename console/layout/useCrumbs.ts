import { type LinkProps, useMatches } from '@tanstack/react-router';

export interface Crumb {
  label: string;
  link: LinkProps;
}

type CrumbOf =
  | string
  | ((match: { params: Record<string, string>; loaderData: unknown }) => string | undefined);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's word in the breadcrumbs and in the window's title; a function where the thing's name is the word. */
    crumb?: CrumbOf;
    /** True: nobody sees it without a session. */
    guarded?: boolean;
  }
}

/** From the outermost place to the current one. */
export function useCrumbs(): readonly Crumb[] {
  return useMatches().flatMap(({ staticData: { crumb }, params, loaderData, pathname }) => {
    const label = typeof crumb === 'function' ? crumb({ params, loaderData }) : crumb;
    return label ? [{ label, link: { to: pathname } as LinkProps }] : [];
  });
}
