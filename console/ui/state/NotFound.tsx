import { Link, type LinkProps, useMatches } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { buttonClass } from '#console/ui/Button.tsx';
import { Chart } from '#console/ui/drawings.tsx';
import { keepFocus } from '#console/ui/focus/keepFocus.ts';
import { EmptyState } from './EmptyState.tsx';

interface NotFoundProps {
  /** What does not exist: "Device dev_42 does not exist." */
  what?: string | undefined;
}

/** Links to the list that contained the item. */
export function NotFound({ what = 'This page does not exist' }: NotFoundProps) {
  const list = useListedIn();
  // The focused element may have been removed together with the deleted item.
  useLayoutEffect(() => keepFocus(), []);
  return (
    <EmptyState
      isScreen
      icon={<Chart />}
      title={what}
      action={
        <Link {...list.link} className={buttonClass('plain')}>
          Go to {list.label.toLowerCase()}
        </Link>
      }
    >
      It may have been deleted, or the address may be mistyped.
    </EmptyState>
  );
}

/** A screen and the parent that it is the first screen of differ by a slash. */
const withoutSlash = (path = '') => path.replace(/\/$/, '');

interface Place {
  label: string;
  link: LinkProps;
}

/** The nearest parent whose label its route knows without a read. */
function useListedIn(): Place {
  const matches = useMatches().toReversed();
  const here = withoutSlash(matches[0]?.pathname);
  const above = matches.flatMap(({ staticData: { listedIn, crumb }, params, pathname }): Place[] => {
    // For a parent route, its own label is nearer than the list it belongs to.
    if (withoutSlash(pathname) !== here && typeof crumb === 'string')
      return [{ label: crumb, link: { to: pathname } as LinkProps }];
    const places = typeof listedIn === 'function' ? listedIn({ ...nothingRead, params }) : listedIn;
    const last = places?.at(-1);
    if (!last) return [];
    const link = { to: last.to, params: { ...params, ...last.params } } as LinkProps;
    return [{ label: last.label, link }];
  });
  return above[0] ?? { label: 'projects', link: { to: '/projects' } };
}

const nothingRead = { loaderData: undefined, project: undefined, device: undefined, names: {} };
