import { Outlet, useMatches } from '@tanstack/react-router';
import { useOrganization } from '#console/organization.ts';
import { Toasts } from '#console/ui/dialog/Toast.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import { useTitle } from './useTitle.ts';

export function Root() {
  const organization = useOrganization();
  useTitle(usePlaces());
  return (
    <>
      {organization.error?.reason === 'ORG_NOT_FOUND' ? (
        <NoSuchPage failure={organization.error} />
      ) : (
        <Outlet />
      )}
      <Toasts />
    </>
  );
}

/** The titles of routes without the frame, which are known at once. Inside the frame, the breadcrumbs set the title. */
function usePlaces(): readonly string[] | undefined {
  const matches = useMatches();
  if (matches.some(({ routeId }) => routeId === '/shell')) return undefined;
  return matches.map(({ staticData: { crumb } }) => crumb).filter(crumb => typeof crumb === 'string');
}
