import { Outlet, useMatches } from '@tanstack/react-router';
import { useOrganization } from '#console/core/organization.ts';
import { NoSuchPage } from './NoSuchPage.tsx';
import { useTitle } from './useTitle.ts';

const notFound = ['Not found'];

export function Root() {
  const organization = useOrganization();
  const places = usePlaces();
  const failure = organization.error?.reason === 'ORG_NOT_FOUND' ? organization.error : undefined;
  useTitle(failure ? notFound : places);
  return failure ? <NoSuchPage failure={failure} /> : <Outlet />;
}

/** The titles of routes without the frame, which are known at once. Inside the frame, the breadcrumbs set the title. */
function usePlaces(): readonly string[] | undefined {
  const matches = useMatches();
  // Nothing below the root has this address.
  if (matches.length === 1) return notFound;
  if (matches.some(({ routeId }) => routeId === '/shell')) return undefined;
  return matches.map(({ staticData: { crumb } }) => crumb).filter(crumb => typeof crumb === 'string');
}
